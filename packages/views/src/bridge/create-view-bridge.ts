import { createPeer } from '@portico/rpc';
import type { JSONRPCNotification, JSONRPCRequest, Peer, RequestContext } from '@portico/rpc';
import { UI_METHODS, UI_PROTOCOL_VERSION } from '@portico/spec';
import type {
  CallToolResult,
  McpUiDisplayMode,
  McpUiHostContext,
  McpUiInitializeResult,
} from '@portico/spec';
import { ViewsError } from '../errors.ts';
import { isRecord } from '../records.ts';
import { createAppToolList } from './app-tool-list.ts';
import type { AppToolList } from './app-tool-list.ts';
import type { AppTool } from './app-tools.ts';
import type { ViewInfo } from './handlers.ts';
import { announcedCapabilities } from './announced-capabilities.ts';
import { CSP_VIOLATION_METHOD, readCspViolation } from './csp-violation.ts';
import { readInitialize, readSize } from './host-answers.ts';
import { createHostContextStore } from './host-context.ts';
import type { HostContextStore } from './host-context.ts';
import { RequestHandler } from './request-handler.ts';
import { createToolDelivery } from './tool-delivery.ts';
import type { ToolDelivery } from './tool-delivery.ts';
import type { SandboxResource, ViewBridge, ViewBridgeOptions, ViewStatus } from './view-bridge.ts';

type Input = Readonly<Record<string, unknown>>;

const TEARDOWN_TIMEOUT_MS = 1_000;

class PeerViewBridge implements ViewBridge {
  status: ViewStatus = 'loading';
  info: ViewInfo | undefined;
  private readonly options: ViewBridgeOptions;
  private readonly peer: Peer;
  private readonly delivery: ToolDelivery;
  private readonly context: HostContextStore;
  private readonly requests: RequestHandler;
  private readonly tools: AppToolList;
  private readonly modes: readonly McpUiDisplayMode[];

  constructor(options: ViewBridgeOptions) {
    this.options = options;
    const { host, profile } = options;
    this.modes = (options.availableDisplayModes ?? ['inline']).filter((mode) =>
      profile.displayModes.includes(mode),
    );
    this.context = createHostContextStore({
      displayMode: 'inline',
      ...options.hostContext,
      availableDisplayModes: [...this.modes],
    });
    this.peer = createPeer({
      transport: options.transport,
      clock: options.clock,
      onRequest: (request, context) => this.onRequest(request, context),
      onNotification: (notification) => this.onNotification(notification),
    });
    this.peer.onclose = () => this.closed();
    this.delivery = createToolDelivery((method, params) => this.notify(method, params));
    this.tools = createAppToolList({ peer: this.peer, limits: profile.appTools, host });
    this.requests = new RequestHandler({
      host,
      profile,
      tools: () => options.tools,
      availableDisplayModes: this.modes,
      info: () => this.info,
      displayMode: () => this.context.current.displayMode ?? 'inline',
      setDisplayMode: (mode) => this.updateHostContext({ displayMode: mode }),
    });
  }

  get appTools(): readonly AppTool[] {
    return this.tools.current;
  }

  start(): Promise<void> {
    return this.peer.start();
  }

  sendToolInputPartial(input: Input): void {
    this.delivery.partialInput(input);
  }

  sendToolInput(input: Input): void {
    this.delivery.input(input);
  }

  sendToolResult(result: CallToolResult): void {
    this.delivery.result(result);
  }

  sendToolCancelled(reason?: string): void {
    this.delivery.cancelled(reason);
  }

  replaceToolInput(input: Input): void {
    this.delivery.replaceInput(input);
  }

  replaceToolResult(result: CallToolResult): void {
    this.delivery.replaceResult(result);
  }

  sendSandboxResource(resource: SandboxResource): void {
    this.notify(UI_METHODS.sandboxResourceReady, { ...resource });
  }

  updateHostContext(change: McpUiHostContext): void {
    this.context.update(change);
    if (this.status === 'ready') this.sendContextChanges();
  }

  sendListChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (this.status === 'ready') this.notify(`notifications/${list}/list_changed`, {});
  }

  async callAppTool(
    name: string,
    input: Input,
    options: { signal?: AbortSignal } = {},
  ): Promise<CallToolResult> {
    if (this.status !== 'ready') throw new ViewsError('view_not_ready', { status: this.status });
    if (!this.appTools.some((tool) => tool.name === name)) throw new ViewsError('unknown_app_tool', { name });
    const result = await this.peer.request(
      'tools/call',
      { name, arguments: input },
      { timeoutMs: this.options.profile.appTools.callTimeoutMs, signal: options.signal },
    );
    return result as CallToolResult;
  }

  async teardown(): Promise<void> {
    if (this.status === 'ready') {
      const timeoutMs = this.options.teardownTimeoutMs ?? TEARDOWN_TIMEOUT_MS;
      // Whatever the view answers, or fails to: it is removed.
      await this.peer.request(UI_METHODS.resourceTeardown, {}, { timeoutMs }).catch(() => undefined);
    }
    await this.peer.close();
    this.closed();
  }

  private closed(): void {
    if (this.status === 'closed') return;
    this.status = 'closed';
    this.tools.clear();
  }

  private notify(method: string, params: Input): void {
    // A channel that has ended has nobody to tell.
    this.peer.notify(method, params).catch(() => undefined);
  }

  private sendContextChanges(): void {
    const changes = this.context.takeChanges();
    if (changes !== undefined) this.notify(UI_METHODS.hostContextChanged, changes);
  }

  private onRequest(request: JSONRPCRequest, context: RequestContext): unknown {
    if (request.method === UI_METHODS.initialize) return this.initialize(request);
    return this.requests.handle(request, context);
  }

  /** A second handshake is a document that has loaded again: it starts from nothing. */
  private initialize(request: JSONRPCRequest): McpUiInitializeResult {
    this.info = readInitialize(request.params);
    this.status = 'initializing';
    this.delivery.reset();
    this.tools.clear();
    this.context.takeChanges();
    return {
      protocolVersion: UI_PROTOCOL_VERSION,
      hostInfo: this.options.hostInfo,
      hostCapabilities: announcedCapabilities(this.options),
      // A copy: the store goes on changing.
      hostContext: { ...this.context.current },
    };
  }

  private onNotification({ method, params }: JSONRPCNotification): void {
    const { host } = this.options;
    switch (method) {
      case UI_METHODS.initialized:
        this.initialized();
        break;
      case UI_METHODS.sizeChanged:
        host.onSizeChanged?.(readSize(params));
        break;
      case UI_METHODS.sandboxProxyReady:
        this.options.onSandboxReady?.();
        break;
      case CSP_VIOLATION_METHOD:
        host.onCspViolation?.(readCspViolation(params));
        break;
      case UI_METHODS.requestTeardown:
        host.onRequestTeardown?.();
        break;
      case 'notifications/tools/list_changed':
        if (this.status === 'ready') this.tools.refresh();
        break;
      case 'notifications/message':
        this.log(params);
        break;
      default:
        // Unknown notifications are allowed and mean nothing here.
        break;
    }
  }

  private initialized(): void {
    if (this.status !== 'initializing' || this.info === undefined) return;
    this.status = 'ready';
    this.sendContextChanges();
    this.delivery.open();
    this.options.host.onInitialized?.(this.info);
    if (isRecord(this.info.capabilities.tools)) this.tools.refresh();
  }

  private log(params: JSONRPCNotification['params']): void {
    const { level, logger, data } = params ?? {};
    this.options.host.onLog?.({
      level: typeof level === 'string' ? level : 'info',
      ...(typeof logger === 'string' ? { logger } : {}),
      data,
    });
  }
}

/** The host's end of one view: a JSON-RPC peer that keeps the order rules and judges requests. */
export function createViewBridge(options: ViewBridgeOptions): ViewBridge {
  return new PeerViewBridge(options);
}
