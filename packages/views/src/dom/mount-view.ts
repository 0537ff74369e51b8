import { createWindowTransport, systemClock } from '@portico/rpc';
import type { Clock, Timer, WindowMessageSource } from '@portico/rpc';
import type { Implementation, McpUiDisplayMode, McpUiHostContext, Tool } from '@portico/spec';
import type { AppTool } from '../bridge/app-tools.ts';
import { createViewBridge } from '../bridge/create-view-bridge.ts';
import type { ViewHostHandlers } from '../bridge/handlers.ts';
import type { ViewBridge } from '../bridge/view-bridge.ts';
import { ViewsError } from '../errors.ts';
import type { Refusal } from '../errors.ts';
import { PROFILES } from '../profiles.ts';
import type { Profile } from '../profiles.ts';
import { applyHeight, createViewFrame, moveLive, watchWidth } from './view-frame.ts';
import type { HeightBounds } from './view-frame.ts';
import { deliverCall, toolInfoOf } from './view-session.ts';
import type { ViewCall, ViewSession } from './view-session.ts';

/** How far a view has come. `failed` can still become `ready` when the view was only slow. */
export type ViewState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly appName: string; readonly appVersion: string }
  | { readonly status: 'failed'; readonly reason: Refusal };

export interface MountViewOptions {
  readonly session: ViewSession;
  readonly host: ViewHostHandlers;
  /** Default: the platform's time. */
  readonly clock?: Clock;
  /** Theme, styles, locale and whatever else the view is told; place and tool are added. */
  readonly hostContext: McpUiHostContext;
  readonly hostInfo: Implementation;
  /** Default `open`. */
  readonly profile?: Profile;
  /** Modes that the page can show this view in. Default `['inline']`. */
  readonly availableDisplayModes?: readonly McpUiDisplayMode[];
  /** The connector's tools, where known. */
  readonly tools?: readonly Tool[];
  /** Accessible name of the frame. Default: the tool's title, or its name, and the connector. */
  readonly title?: string;
  /** Bounds of the height that the view chooses. Default 40 to 800 CSS pixels. */
  readonly height?: HeightBounds;
  /** How long the view may take until it reports that it is initialized, in ms. Default 15 000. */
  readonly readyTimeoutMs?: number;
  /** Told every change of state; must not throw. */
  readonly onState?: (state: ViewState) => void;
}

/** One view on the page. */
export interface MountedView {
  readonly element: HTMLIFrameElement;
  readonly appTools: readonly AppTool[];
  /** Tells the view how its call goes on. */
  setCall(call: ViewCall): void;
  updateHostContext(change: McpUiHostContext): void;
  callAppTool: ViewBridge['callAppTool'];
  /** Moves the view with its live document. False where the browser cannot: nothing has moved. */
  moveTo(parent: Element): boolean;
  /** Takes the view from sight at once, lets it clean up for a bounded time, and removes it. */
  dispose(): Promise<void>;
}

const READY_TIMEOUT_MS = 15_000;
const DEFAULT_HEIGHT: HeightBounds = { minPx: 40, maxPx: 800 };

function titleOf({ session, title }: MountViewOptions): string {
  if (title !== undefined) return title;
  const toolTitle = session.tool['title'];
  return `${typeof toolTitle === 'string' ? toolTitle : session.tool.name} – ${session.connectorName}`;
}

class FrameView implements MountedView {
  readonly element: HTMLIFrameElement;
  private readonly options: MountViewOptions;
  private readonly clock: Clock;
  private readonly bounds: HeightBounds;
  private readonly bridge: ViewBridge;
  private timer: Timer | undefined;
  private initializedSinceLoad = false;
  private loads = 0;
  private displayMode: McpUiDisplayMode = 'inline';
  private disposed: Promise<void> | undefined;
  private readonly stopWatching: () => void;

  constructor(container: HTMLElement, options: MountViewOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.bounds = options.height ?? DEFAULT_HEIGHT;
    const { url, origin, allow } = options.session;
    const content = { from: { url }, origin, allow };
    this.element = createViewFrame(container.ownerDocument, content, titleOf(options));
    this.element.addEventListener('load', this.onLoad);
    container.append(this.element);
    this.bridge = this.createBridge(container);
    this.stopWatching = watchWidth(this.element, (width) => this.setWidth(width));
    deliverCall(this.bridge, options.session.call);
    this.enterLoading();
    void this.bridge.start();
  }

  get appTools(): readonly AppTool[] {
    return this.bridge.appTools;
  }

  setCall(call: ViewCall): void {
    deliverCall(this.bridge, call);
  }

  updateHostContext(change: McpUiHostContext): void {
    if (change.displayMode !== undefined) this.displayMode = change.displayMode;
    this.bridge.updateHostContext(change);
  }

  callAppTool: ViewBridge['callAppTool'] = (name, input, options) =>
    this.bridge.callAppTool(name, input, options);

  moveTo(parent: Element): boolean {
    return moveLive(this.element, parent);
  }

  dispose(): Promise<void> {
    this.disposed ??= this.tearDown();
    return this.disposed;
  }

  private createBridge(container: HTMLElement): ViewBridge {
    const { session, host, hostInfo, tools, availableDisplayModes } = this.options;
    const target = this.element.contentWindow;
    const listenOn = container.ownerDocument.defaultView;
    if (target === null || listenOn === null) throw new ViewsError('view_not_ready', { status: 'detached' });
    return createViewBridge({
      transport: createWindowTransport({
        target,
        // The DOM's overloads describe the same listener.
        listenOn: listenOn as unknown as WindowMessageSource,
        origin: session.origin,
      }),
      clock: this.clock,
      hostInfo,
      profile: this.options.profile ?? PROFILES.open,
      host: this.watchedHost(host),
      hostContext: this.firstContext(container),
      ...(tools === undefined ? {} : { tools }),
      ...(availableDisplayModes === undefined ? {} : { availableDisplayModes }),
    });
  }

  /** The caller's handlers, with the two that the frame itself acts on. */
  private watchedHost(host: ViewHostHandlers): ViewHostHandlers {
    const own: Pick<ViewHostHandlers, 'onSizeChanged' | 'onInitialized'> = {
      onSizeChanged: (size) => {
        // Elsewhere the page decides; the height chosen inline is there again afterwards.
        if (this.displayMode === 'inline') applyHeight(this.element, size.height, this.bounds);
        host.onSizeChanged?.(size);
      },
      onInitialized: (info) => {
        this.initializedSinceLoad = true;
        this.timer?.cancel();
        const { name, version } = info.appInfo;
        this.options.onState?.({ status: 'ready', appName: name, appVersion: version });
        host.onInitialized?.(info);
      },
    };
    return { ...host, ...own };
  }

  private firstContext(container: HTMLElement): McpUiHostContext {
    return {
      platform: 'web',
      ...this.options.hostContext,
      displayMode: 'inline',
      toolInfo: toolInfoOf(this.options.session),
      containerDimensions: { width: Math.round(container.clientWidth), maxHeight: this.bounds.maxPx },
    };
  }

  private setWidth(width: number): void {
    this.bridge.updateHostContext({ containerDimensions: { width, maxHeight: this.bounds.maxPx } });
  }

  private readonly onLoad = (): void => {
    this.loads += 1;
    // The first load may come before or after the handshake; a later one without a handshake is a
    // document that has taken the view's place.
    if (this.loads > 1 && !this.initializedSinceLoad) this.enterLoading();
    this.initializedSinceLoad = false;
  };

  private enterLoading(): void {
    this.timer?.cancel();
    const timeoutMs = this.options.readyTimeoutMs ?? READY_TIMEOUT_MS;
    this.timer = this.clock.setTimer(timeoutMs, () => {
      const reason = `The view did not report that it is initialized within ${timeoutMs / 1000} s.`;
      this.options.onState?.({ status: 'failed', reason: { ruleId: 'apps-P9', reason } });
    });
    this.options.onState?.({ status: 'loading' });
  }

  private async tearDown(): Promise<void> {
    this.timer?.cancel();
    this.stopWatching();
    this.element.removeEventListener('load', this.onLoad);
    this.element.style.display = 'none';
    // Kept alive elsewhere, since whoever disposes of it may remove its place at once.
    moveLive(this.element, this.element.ownerDocument.body);
    await this.bridge.teardown();
    this.element.remove();
  }
}

/**
 * Shows a view in `container` by address and speaks to it: input and result of its call, resizing,
 * and whatever the handlers offer. Only messages from this frame's window and the view's origin count.
 *
 * @param container a connected element of the trusted page; the view becomes its last child
 * @throws ViewsError `view_not_ready` when the container belongs to no page
 */
export function mountView(container: HTMLElement, options: MountViewOptions): MountedView {
  return new FrameView(container, options);
}
