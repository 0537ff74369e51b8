import type { Context } from 'hono';
import type { z } from 'zod';
import { ApiRefusal } from '../api-refusal.ts';
import { nestsDeeperThan } from '../json-depth.ts';

/** Largest JSON body of a request, in bytes (1 MiB). */
const MAX_BODY_BYTES = 1_048_576;

/** Largest body of a publish request, in bytes: a page of 10 MB, escaped as JSON (12 MB). */
export const MAX_PUBLISH_BYTES = 12_000_000;

/** Deepest nesting of a JSON body, in levels. */
const MAX_DEPTH = 64;

/** Most issues that are listed in one refusal. */
const MAX_ISSUES = 20;

/**
 * Reads and checks the JSON body of a request; an empty body counts as `{}`.
 * @throws ApiRefusal not_json, too_large, bad_request
 */
export async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<z.output<Schema>> {
  if (!isJson(context)) {
    throw new ApiRefusal('not_json', 'The body must be sent as application/json.');
  }
  const text = await readText(context, maxBytes);
  const value = text.trim() === '' ? {} : parseJson(text);
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issues = checked.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.map(String).join('.') || 'body'}: ${issue.message}`);
  throw new ApiRefusal('bad_request', 'The request does not have the expected form.', issues);
}

/** Whether the body is said to be JSON. */
export function isJson(context: Context): boolean {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json';
}

async function readText(context: Context, maxBytes: number): Promise<string> {
  const tooLarge = (): ApiRefusal =>
    new ApiRefusal('too_large', `The body is larger than ${maxBytes.toLocaleString('en')} bytes.`);
  if (Number(context.req.header('content-length') ?? 0) > maxBytes) throw tooLarge();
  const body = context.req.raw.body;
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiRefusal) throw error;
    // Whoever sent it has gone away: no fault of ours, and nobody reads the answer.
    throw new ApiRefusal('bad_request', 'The body ended before it was whole.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ApiRefusal('bad_request', 'The body is not UTF-8 text.');
  }
}

function parseJson(text: string): unknown {
  if (nestsDeeperThan(text, MAX_DEPTH)) {
    throw new ApiRefusal('bad_request', `The body nests deeper than ${MAX_DEPTH} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ApiRefusal('bad_request', 'The body is not JSON.');
  }
}
