import type { Tool } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import type { AppToolLimits } from '../profiles.ts';
import { isRecord } from '../records.ts';

/** A tool that a view offers. */
export interface AppTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Tool['inputSchema'];
  /** The view's own schema was too large or too deep, and stands replaced by an open object. */
  readonly schemaReplaced: boolean;
}

export interface AppToolSelection {
  readonly tools: readonly AppTool[];
  readonly refusals: readonly Refusal[];
}

const NAME = /^[A-Za-z0-9._-]+$/;
const OPEN_OBJECT: Tool['inputSchema'] = { type: 'object' };

/** Whether a value has more than `limit` levels; looks no deeper than that. */
function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, limit - 1));
}

function none(ruleId: string, reason: string): AppToolSelection {
  return { tools: [], refusals: [{ ruleId, reason }] };
}

function isObjectSchema(schema: unknown): schema is Tool['inputSchema'] {
  return isRecord(schema) && schema['type'] === 'object';
}

function readTool(entry: Record<string, unknown>, limits: AppToolLimits): AppTool {
  const { name, title, description } = entry;
  const schema = entry['inputSchema'] as Tool['inputSchema'];
  const replaced =
    JSON.stringify(schema).length > limits.maxSchemaLength || isDeeperThan(schema, limits.maxSchemaDepth);
  return {
    name: String(name),
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: replaced ? OPEN_OBJECT : schema,
    schemaReplaced: replaced,
  };
}

function nameProblem(
  name: unknown,
  all: readonly Record<string, unknown>[],
  limits: AppToolLimits,
): Refusal | undefined {
  const subject = typeof name === 'string' ? name.slice(0, 200) : JSON.stringify(name)?.slice(0, 200);
  const refusal = (ruleId: string, reason: string): Refusal => ({
    ruleId,
    reason,
    ...(subject ? { subject } : {}),
  });
  if (typeof name !== 'string' || !NAME.test(name)) {
    return refusal('apps-A32', 'A tool name consists of letters, digits, dots, underscores and hyphens.');
  }
  if (name.length > limits.maxNameLength) {
    return refusal('apps-A33', `A tool name has at most ${limits.maxNameLength} characters.`);
  }
  const count = all.filter((entry) => entry['name'] === name).length;
  return count > 1 ? refusal('apps-A34', 'The name is used twice in this view.') : undefined;
}

/** Chooses from a view's answer to tools/list what is offered, and says why the rest is not. */
export function selectAppTools(listed: unknown, limits: AppToolLimits): AppToolSelection {
  if (!Array.isArray(listed)) return none('apps-A50', 'The view answered tools/list without a list.');
  if (listed.length > limits.maxTools) {
    return none('apps-A30', `The view lists ${listed.length} tools; ${limits.maxTools} are allowed.`);
  }
  if (JSON.stringify(listed).length > limits.maxListLength) {
    return none('apps-A31', `The definitions are longer than ${limits.maxListLength} characters of JSON.`);
  }
  const entries = listed.filter(isRecord);
  if (entries.length < listed.length || entries.some((entry) => !isObjectSchema(entry['inputSchema']))) {
    return none('apps-A35', 'A tool has no input schema of type "object".');
  }
  const refusals: Refusal[] = [];
  const tools: AppTool[] = [];
  for (const entry of entries) {
    const refusal = nameProblem(entry['name'], entries, limits);
    if (refusal === undefined) tools.push(readTool(entry, limits));
    else refusals.push(refusal);
  }
  return { tools, refusals };
}
