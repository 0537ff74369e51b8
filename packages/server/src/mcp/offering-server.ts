import { type ServerCapabilities, mergeCapabilities } from '@portico/spec';
import { Server } from '../typed-server.ts';

const SUBSCRIBE = 'resources/subscribe';

/** The server below an `McpServer`: a handler of its own for subscriptions is an offer of them. */
export class OfferingServer extends Server {
  override getCapabilities(): ServerCapabilities {
    const declared = super.getCapabilities();
    const { resources } = declared;
    if (resources === undefined || resources.subscribe !== undefined) return declared;
    if (!this.hasRequestHandler(SUBSCRIBE)) return declared;
    return mergeCapabilities(declared, { resources: { subscribe: true } });
  }
}
