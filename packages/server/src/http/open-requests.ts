import { type JSONRPCNotification, type JSONRPCRequest, OpenTable, type RequestId } from '@portico/rpc';
import type { PostAnswer } from './post-answer.ts';

interface OpenRequest {
  /** The id that it runs under. */
  readonly id: RequestId;
  /** The id that the client gave, which others may have given too. */
  readonly wireId: RequestId;
  readonly method: string;
  readonly answer: PostAnswer;
}

/**
 * The requests that a session has open. Careless clients give the same id to several: each POST has
 * its own answer, so all are served, and those that come later run under an id made here.
 */
export class OpenRequests {
  readonly #open = new OpenTable<RequestId, OpenRequest>();
  #renamed = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Takes a request in; the answer is the message to serve. */
  add(request: JSONRPCRequest, answer: PostAnswer): JSONRPCRequest {
    const { id: wireId, method } = request;
    let id = wireId;
    while (this.#open.get(id) !== undefined) id = `${String(wireId)}~${String((this.#renamed += 1))}`;
    this.#open.set(id, { id, wireId, method, answer });
    return id === wireId ? request : { ...request, id };
  }

  get(id: RequestId): OpenRequest | undefined {
    return this.#open.get(id);
  }

  delete(id: RequestId): void {
    this.#open.delete(id);
  }

  /** The one open request that the client gave this id. */
  byWireId(wireId: unknown): OpenRequest | undefined {
    const [found, another] = this.#open.values().filter((request) => request.wireId === wireId);
    return another === undefined ? found : undefined;
  }

  /**
   * A cancel of the client under the id that the request runs under. Undefined when it does not
   * name exactly one open request.
   */
  cancelOf(notification: JSONRPCNotification): { id: RequestId; message: JSONRPCNotification } | undefined {
    const { params } = notification;
    const found = this.byWireId(params?.['requestId']);
    if (found === undefined || found.method === 'initialize') return undefined;
    return { id: found.id, message: { ...notification, params: { ...params, requestId: found.id } } };
  }

  /** All answers that wait, each once. */
  answers(): Set<PostAnswer> {
    return new Set(this.#open.values().map(({ answer }) => answer));
  }
}
