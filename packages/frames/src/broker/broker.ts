import { createPeer, isProtocolError } from '@portico/rpc';
import type { Clock, JSONRPCRequest, Peer, RequestContext } from '@portico/rpc';
import { MCP_ERRORS } from '../errors.ts';
import { DEFAULT_FRAME_LIMITS } from '../limits.ts';
import type { FrameLimits } from '../limits.ts';
import type { Manifest } from '../manifest-shape.ts';
import { METHODS, NOTICES } from '../wire.ts';
import type { InitParams, PermissionState } from '../wire.ts';
import { readCall, readPermission } from './call-params.ts';
import type { Consent } from './consent.ts';
import { failureFromGateway, failureOf, frameFailure, withoutMarker } from './frame-failure.ts';
import type { FrameGateway, GatewayCall, GatewayOutcome } from './gateway.ts';
import { listingForPage } from './server-info.ts';
import { TextPortTransport } from './text-port-transport.ts';
import type { FramePort } from './text-port-transport.ts';

export interface BrokerOptions {
  /** The port that one document of the frame offered; owned by the broker from now on. */
  readonly port: FramePort;
  /** The manifest in the publish record, never one that a page sent. */
  readonly manifest: Manifest;
  readonly consent: Consent;
  readonly gateway: FrameGateway;
  readonly clock: Clock;
  readonly limits?: Partial<FrameLimits>;
  /** Whether the viewer's session lets this frame use connectors. Default true. */
  readonly granted?: boolean;
  /** How long the kernel may wait for one answer, in milliseconds. Default 130 000. */
  readonly replyBudgetMs?: number;
  /** Faults that end nothing, for a log. Must not throw. */
  readonly onFault?: (error: Error) => void;
}

/** The shell's end of one document of a frame. */
export interface Broker {
  /** Calls of the page that are open. */
  readonly openCalls: number;
  /** Ends the session: open calls are cancelled and the page is told that it has no access. */
  close(): Promise<void>;
}

/** When a page with too many open calls may try again, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/** Methods that this broker serves; the kernel answers the others itself. */
const SERVED = [METHODS.callTool, METHODS.listTools, METHODS.permissionState, METHODS.permissionRequest];

class FrameBroker implements Broker {
  private readonly options: BrokerOptions;
  private readonly limits: FrameLimits;
  private readonly peer: Peer;

  constructor(options: BrokerOptions) {
    this.options = options;
    this.limits = { ...DEFAULT_FRAME_LIMITS, ...options.limits };
    const { clock, port } = options;
    this.peer = createPeer({
      transport: new TextPortTransport({ port, clock, limits: this.limits }),
      clock,
      // One more than a page may use, so that the answer to the next one is ours.
      limits: { maxPending: this.limits.maxPending + 1 },
      cancelMethod: NOTICES.cancel,
      onRequest: (request, context) => this.serve(request, context),
    });
    if (options.onFault !== undefined) this.peer.onerror = options.onFault;
  }

  get openCalls(): number {
    return this.peer.inFlightCount;
  }

  async open(): Promise<void> {
    await this.peer.start();
    const { granted = true, replyBudgetMs } = this.options;
    const init: InitParams = {
      granted,
      bridge: true,
      methods: SERVED,
      ...(replyBudgetMs === undefined ? {} : { replyBudgetMs }),
    };
    await this.peer.notify(NOTICES.init, { ...init });
  }

  async close(): Promise<void> {
    const ended: InitParams = { granted: false, bridge: false, methods: [] };
    await this.peer.notify(NOTICES.init, { ...ended }).catch(() => undefined);
    await this.peer.close();
  }

  private async serve(request: JSONRPCRequest, context: RequestContext): Promise<unknown> {
    switch (request.method) {
      case METHODS.callTool:
        return await this.callTool(request, context);
      case METHODS.listTools:
        return await this.listTools(context);
      case METHODS.permissionState:
        return { state: this.permissionState(request.params?.['name']) };
      case METHODS.permissionRequest:
        return await this.permissionRequest(request, context);
      default:
        throw failureOf('bad_request');
    }
  }

  private async callTool(request: JSONRPCRequest, context: RequestContext): Promise<unknown> {
    const call = readCall(request.params);
    if (call === undefined) throw failureOf('bad_request', textOrNothing(request.params?.['server']));
    if (this.peer.inFlightCount > this.limits.maxPending) throw tooManyOpen();
    if (this.options.granted === false) throw failureOf('not_granted');
    this.checkManifest(call);
    await this.checkConsent(call.server, context);
    return await this.execute(call, context);
  }

  private checkManifest({ server, tool }: GatewayCall): void {
    const declared = this.options.manifest.mcp?.servers.find((candidate) => candidate.name === server);
    if (declared?.tools.includes(tool) !== true) throw failureOf('not_in_manifest', server);
  }

  private async checkConsent(server: string, context: RequestContext): Promise<void> {
    const { consent } = this.options;
    if (consent.state(server) === 'prompt') {
      // Nobody is asked about a connector that is not there.
      if (!(await this.isConnected(server, context))) throw failureOf('server_not_connected', server);
      await this.ask([server], context);
    }
    if (consent.state(server) !== 'granted') throw failureOf('not_in_manifest', server);
  }

  private async isConnected(server: string, context: RequestContext): Promise<boolean> {
    try {
      const listing = await this.options.gateway.listTools({ signal: context.signal });
      return listing.servers.some((info) => info.server === server);
    } catch {
      // The call itself will say what is wrong.
      return true;
    }
  }

  /** Asks while the kernel's clock for this call stands still. */
  private async ask(servers: readonly string[], context: RequestContext): Promise<void> {
    await context.notify(NOTICES.hold, { id: context.id });
    await this.options.consent.request(servers);
    if (!context.signal.aborted) await context.notify(NOTICES.resume, { id: context.id });
  }

  private async execute(call: GatewayCall, context: RequestContext): Promise<unknown> {
    // A call that was given up while the viewer decided does not run.
    if (context.signal.aborted) throw failureOf('cancelled', call.server);
    const outcome = await this.throughGateway(call, context);
    if (!outcome.ok) throw failureFromGateway(outcome.error, call.server);
    const result = withoutMarker(outcome.result);
    if (!isToolAnswer(result) || this.isTooLarge(result)) throw failureOf('upstream_error', call.server);
    return result;
  }

  private async throughGateway(call: GatewayCall, context: RequestContext): Promise<GatewayOutcome> {
    try {
      return await this.options.gateway.callTool(call, { signal: context.signal });
    } catch (error) {
      this.options.onFault?.(error as Error);
      throw failureOf('upstream_error', call.server);
    }
  }

  private isTooLarge(result: unknown): boolean {
    return JSON.stringify(result).length > this.limits.maxResultLength;
  }

  private async listTools(context: RequestContext): Promise<unknown> {
    if (this.options.granted === false) throw failureOf('not_granted');
    try {
      const listing = await this.options.gateway.listTools({ signal: context.signal });
      return listingForPage(listing, this.options.manifest);
    } catch (error) {
      if (isProtocolError(error)) throw error;
      this.options.onFault?.(error as Error);
      throw failureOf('upstream_error');
    }
  }

  private permissionState(name: unknown): PermissionState {
    const permission = readPermission(name);
    if (permission === undefined || this.options.granted === false) return 'unavailable';
    if (permission.server !== undefined) return this.options.consent.state(permission.server);
    const states = this.serverNames().map((server) => this.options.consent.state(server));
    if (states.length === 0) return 'unavailable';
    if (states.every((state) => state === 'granted')) return 'granted';
    return states.includes('prompt') ? 'prompt' : 'denied';
  }

  private async permissionRequest(request: JSONRPCRequest, context: RequestContext): Promise<unknown> {
    const names = request.params?.['names'];
    if (!Array.isArray(names)) throw failureOf('bad_request');
    const servers = new Set<string>();
    for (const permission of names.map(readPermission)) {
      if (permission === undefined) continue;
      const asked = permission.server === undefined ? this.serverNames() : [permission.server];
      for (const server of asked) servers.add(server);
    }
    const open = [...servers].filter((server) => this.options.consent.state(server) === 'prompt');
    if (open.length > 0 && this.options.granted !== false) await this.ask(open, context);
    return Object.fromEntries(names.map((name) => [String(name), this.permissionState(name)]));
  }

  private serverNames(): readonly string[] {
    return (this.options.manifest.mcp?.servers ?? []).map((server) => server.name);
  }
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function tooManyOpen(): Error {
  const { rate_limited: message } = MCP_ERRORS;
  return frameFailure({ code: 'rate_limited', message, retryable: true, retryAfterMs: RETRY_AFTER_MS });
}

/** True for what a tool can answer: an object with content, or a bare text or list. */
function isToolAnswer(result: unknown): boolean {
  if (typeof result === 'string' || Array.isArray(result)) return true;
  return (
    typeof result === 'object' && result !== null && Array.isArray((result as { content?: unknown }).content)
  );
}

/**
 * Serves one document of a frame on the port it offered. Whatever the page checked is checked here
 * again, in this order: arguments, access, manifest, connector presence, consent; the rest is the
 * gateway's.
 */
export async function createBroker(options: BrokerOptions): Promise<Broker> {
  const broker = new FrameBroker(options);
  await broker.open();
  return broker;
}
