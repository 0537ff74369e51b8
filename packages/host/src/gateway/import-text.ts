import { basename } from 'node:path';
import { connectorInputSchema } from '@portico/api';
import type { ConnectorInput, ImportEntry } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import type { ConnectorRecord } from '../ports/stores.ts';
import { parseLenientJson } from './lenient-json.ts';
import { splitCommandLine } from './split-command-line.ts';

/** Most servers that one paste may hold. */
const MAX_ENTRIES = 200;

/** Most unknown keys that are named, and most characters of each foreign text that is repeated. */
const MAX_NAMED_KEYS = 10;
const MAX_REPEATED = 80;

const KNOWN_KEYS = new Set(['command', 'args', 'cwd', 'env', 'url', 'headers', 'type', 'transport']);
const HTTP_TYPES = new Set(['http', 'streamable-http', 'streamableHttp', 'streamable_http']);

/**
 * Shows what a pasted configuration or command line would add; saves, resolves and runs nothing.
 * @throws ApiRefusal bad_request when the text holds no server at all
 */
export function readImportText(text: string, existing: readonly ConnectorRecord[]): ImportEntry[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new ApiRefusal('bad_request', 'The text is empty.');
  if (!/^([{[]|"[^"]*"\s*:|\/\/|\/\*)/.test(trimmed)) return [judge(fromCommandLine(trimmed), existing)];
  const servers = serversIn(parse(trimmed));
  const entries = Object.entries(servers);
  if (entries.length === 0) throw new ApiRefusal('bad_request', 'The text lists no servers.');
  if (entries.length > MAX_ENTRIES) {
    throw new ApiRefusal('bad_request', `The text lists more than ${MAX_ENTRIES} servers.`);
  }
  return entries.map(([name, value]) => judge(readEntry(name, value), existing));
}

function parse(text: string): unknown {
  // A paste often lacks the outer braces of the file it was cut from.
  const whole = text.startsWith('"') ? `{${text}}` : text;
  try {
    return parseLenientJson(whole);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : '';
    throw new ApiRefusal('bad_request', `The text is not valid JSON: ${detail}`);
  }
}

function serversIn(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new ApiRefusal('bad_request', 'The text is not a JSON object.');
  const listed = value['mcpServers'] ?? value['servers'] ?? innerServers(value['mcp']);
  if (isRecord(listed)) return listed;
  if (listed !== undefined) throw new ApiRefusal('bad_request', 'The list of servers is not a JSON object.');
  const direct = Object.values(value).every(
    (entry) => isRecord(entry) && ('command' in entry || 'url' in entry),
  );
  if (direct) return value;
  throw new ApiRefusal('bad_request', 'The text has neither "mcpServers" nor "servers".');
}

function innerServers(value: unknown): unknown {
  return isRecord(value) ? value['servers'] : undefined;
}

function fromCommandLine(line: string): ImportEntry {
  const { command, args } = splitCommandLine(line);
  return checked(nameFor(command, args), { kind: 'stdio', command, args, env: {} }, []);
}

/** The package or script that runs says more than `npx` or `node`. */
function nameFor(command: string, args: readonly string[]): string {
  const isRunner = /^(npx|node|uvx|uv|bunx|bun|deno|python3?|docker)(\.exe|\.cmd)?$/.test(basename(command));
  const told = isRunner ? args.find((argument) => !argument.startsWith('-')) : undefined;
  return basename(told ?? command)
    .replace(/\.[cm]?[jt]s$/, '')
    .slice(0, 64);
}

function readEntry(name: string, value: unknown): ImportEntry {
  if (!isRecord(value)) return unsupported(name, 'It is not a JSON object.');
  const type = value['type'] ?? value['transport'];
  if (type === 'sse')
    return unsupported(
      name,
      'It uses the old SSE transport; give the address of its streamable HTTP endpoint.',
    );
  if (JSON.stringify(value).includes('${')) {
    return unsupported(name, 'It contains a ${…} placeholder; put the value itself in its place.');
  }
  const ignored = Object.keys(value).filter((key) => !KNOWN_KEYS.has(key));
  if (value['command'] !== undefined) {
    const { command, args = [], cwd, env = {} } = value;
    return checked(
      name,
      { kind: 'stdio', command, args, ...(cwd === undefined ? {} : { cwd }), env },
      ignored,
    );
  }
  if (value['url'] !== undefined) {
    if (type !== undefined && !(typeof type === 'string' && HTTP_TYPES.has(type)))
      return unsupported(name, `Its type ${JSON.stringify(type).slice(0, MAX_REPEATED)} is not known.`);
    return checked(name, { kind: 'http', url: value['url'], headers: value['headers'] ?? {} }, ignored);
  }
  return unsupported(name, 'It has neither a command nor an address.');
}

function checked(name: string, transport: unknown, ignored: readonly string[]): ImportEntry {
  const parsed = connectorInputSchema.safeParse({ name, transport });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field =
      issue?.path
        .filter((part) => part !== 'transport')
        .map(String)
        .join('.') ?? '';
    return unsupported(name, `${field === '' ? 'It' : field}: ${issue?.message ?? 'not usable'}`);
  }
  return {
    name: parsed.data.name,
    input: parsed.data,
    status: 'new',
    ...(ignored.length > 0
      ? { reason: `These keys are not known and are left out: ${namesOf(ignored)}` }
      : {}),
  };
}

function namesOf(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_NAMED_KEYS).map((key) => key.slice(0, MAX_REPEATED));
  const more = keys.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

function unsupported(name: string, reason: string): ImportEntry {
  return { name: name.slice(0, 256), status: 'unsupported', reason };
}

function judge(entry: ImportEntry, existing: readonly ConnectorRecord[]): ImportEntry {
  const { input } = entry;
  if (input === undefined) return entry;
  if (existing.some((record) => isSame(record, input))) return { ...entry, status: 'same' };
  if (existing.some((record) => record.name === input.name)) return { ...entry, status: 'name_clash' };
  return entry;
}

function isSame(record: ConnectorRecord, input: ConnectorInput): boolean {
  const [stored, typed] = [record.transport, input.transport];
  if (stored.kind === 'stdio' && typed.kind === 'stdio') {
    return (
      stored.command === typed.command &&
      stored.cwd === typed.cwd &&
      sameList(stored.args, typed.args) &&
      sameNames(stored.env, typed.env)
    );
  }
  if (stored.kind === 'http' && typed.kind === 'http') {
    return new URL(stored.url).href === new URL(typed.url).href && sameNames(stored.headers, typed.headers);
  }
  return false;
}

function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}

function sameNames(left: object, right: object): boolean {
  return sameList(Object.keys(left).sort(), Object.keys(right).sort());
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
