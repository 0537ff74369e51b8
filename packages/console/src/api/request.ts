import { ConsoleError } from '../errors.ts';

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

interface RefusalBody {
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly issues?: unknown };
}

/**
 * One request of the host's API.
 * @throws ConsoleError with the host's code, or `unreachable` / `bad_answer`
 */
export async function requestJson(fetch: Fetch, path: string, options: RequestOptions): Promise<unknown> {
  const response = await send(fetch, path, options);
  if (response.status === 204) return undefined;
  const body = await readBody(response);
  if (!response.ok) throw refusal(response.status, body as RefusalBody | undefined);
  if (body === undefined) throw new ConsoleError('bad_answer', { status: response.status });
  return body;
}

async function send(fetch: Fetch, path: string, options: RequestOptions): Promise<Response> {
  try {
    return await fetch(path, {
      method: options.method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        accept: 'application/json',
        ...(options.method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.method === 'GET' || options.method === 'DELETE'
        ? {}
        : { body: JSON.stringify(options.body ?? {}) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (cause) {
    throw new ConsoleError('unreachable', { cause });
  }
}

async function readBody(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, body: RefusalBody | undefined): ConsoleError {
  const error = body?.error;
  if (typeof error?.code !== 'string') return new ConsoleError('bad_answer', { status });
  return new ConsoleError(error.code, {
    status,
    message: typeof error.message === 'string' ? error.message : error.code,
    issues: Array.isArray(error.issues) ? error.issues.filter((issue) => typeof issue === 'string') : [],
  });
}
