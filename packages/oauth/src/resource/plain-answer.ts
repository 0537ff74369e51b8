/** An HTTP answer as any server can write it. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for an answer without content. */
  readonly body?: string;
}

/** A JSON answer. */
export function jsonAnswer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** The same as a web `Response`. */
export function responseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(body ?? null, { status, headers });
}
