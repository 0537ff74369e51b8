/** One request as it left the client. */
export interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
  /** The JSON body; undefined without one. */
  readonly body: { readonly id?: string | number; readonly method?: string } | undefined;
  /** Method of the JSON-RPC message in the body, `-` without one. */
  readonly rpc: string;
  readonly signal: AbortSignal;
}

/** Answers a request, or throws as a broken network would. */
export type FetchScript = (request: SentRequest, index: number) => Response | Promise<Response>;

export interface ScriptedFetch {
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  /** Everything that was sent, in order. */
  readonly log: readonly SentRequest[];
  /** `METHOD rpc-method` of everything that was sent. */
  lines(): readonly string[];
  /** Empties the log: for long runs, whose memory is measured. */
  readonly forget: () => void;
}

/** A fetch whose other end is the test. */
export function createScriptedFetch(script: FetchScript): ScriptedFetch {
  const log: SentRequest[] = [];
  let count = 0;
  return {
    log,
    lines: () => log.map(({ method, rpc }) => `${method} ${rpc}`),
    forget: () => void (log.length = 0),
    async fetch(_url, init) {
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as SentRequest['body']) : undefined;
      const request: SentRequest = {
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body,
        rpc: body?.method ?? '-',
        signal: init.signal ?? new AbortController().signal,
      };
      log.push(request);
      return script(request, count++);
    },
  };
}

/** A result as JSON. */
export function jsonResult(request: SentRequest, result: unknown, headers = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: request.body?.id, result }, { headers });
}

/** An error answer as JSON with a status. */
export function jsonError(
  status: number,
  error: { readonly code: number; readonly message?: string; readonly data?: unknown },
  id: unknown = null,
): Response {
  const { code, message = 'refused', data } = error;
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status });
}

/** An event stream of the given text, which then ends. */
export function eventStream(text: string | readonly Uint8Array[]): Response {
  const chunks = typeof text === 'string' ? [new TextEncoder().encode(text)] : text;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** What an initialize request is answered with. */
export function initializeResult(protocolVersion = '2025-11-25'): Record<string, unknown> {
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  };
}
