import { createWindowTransport } from '@portico/rpc';
import type { Clock, Timer, WindowMessageSource } from '@portico/rpc';
import type { McpUiDisplayMode, McpUiHostContext } from '@portico/spec';
import { createViewBridge } from '../bridge/create-view-bridge.ts';
import type { ViewHostHandlers } from '../bridge/handlers.ts';
import type { ViewBridge } from '../bridge/view-bridge.ts';
import { ViewsError } from '../errors.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { PROFILES } from '../profiles.ts';
import { viewContentSecurityPolicy } from '../sandbox/content-security-policy.ts';
import type { ViewPolicy } from '../sandbox/content-security-policy.ts';
import { OPAQUE_VIEW_SANDBOX, VIEW_SANDBOX, viewAllow } from '../sandbox/documents.ts';
import { guestDocument, outerDocument } from '../sandbox/framed-documents.ts';
import { sandboxPlace } from '../sandbox/sandbox-place.ts';
import type { SandboxPlace } from '../sandbox/sandbox-place.ts';
import type { ViewResource } from '../view-resource.ts';
import { createCallStory } from './call-story.ts';
import type { CallStory } from './call-story.ts';
import { BLOCKED_AFTER_MS, READY_TIMEOUT_MS, TEARDOWN_TIMEOUT_MS } from './view-defaults.ts';
import { createViewFrame } from './view-frame.ts';
import type { ViewSettings } from './view-settings.ts';
import { toolAsTold } from './view-session.ts';

/** The frame of one view with the bridge to it. */
export interface SandboxFrame {
  readonly element: HTMLIFrameElement;
  /** Tells the view what is new. */
  tell(settings: ViewSettings, surroundings: McpUiHostContext): void;
  /** Asks the view to clean up, for 2 s at most, and listens no more. The frame is left in place. */
  close(): Promise<void>;
}

export interface SandboxFrameOptions {
  readonly resource: ViewResource;
  readonly settings: () => ViewSettings;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  readonly host: ViewHostHandlers;
  readonly surroundings: () => McpUiHostContext;
  readonly onFailure: (error: ViewsError) => void;
}

const MODES: readonly McpUiDisplayMode[] = ['inline', 'fullscreen'];

function titleOf({ title, source }: ViewSettings): string {
  return title ?? source.tool?.title ?? source.tool?.name ?? source.uri;
}

class BridgedFrame implements SandboxFrame {
  readonly element: HTMLIFrameElement;
  private readonly options: SandboxFrameOptions;
  private readonly place: SandboxPlace;
  private readonly policy: ViewPolicy;
  private readonly bridge: ViewBridge;
  private readonly story: CallStory;
  private readonly readyTimer: Timer;
  private blockedTimer: Timer | undefined;
  private heard = false;
  private loads = 0;
  private handedOut = 0;

  constructor(container: HTMLElement, options: SandboxFrameOptions) {
    this.options = options;
    const { resource, lifecycle, clock } = options;
    const settings = options.settings();
    const page = container.ownerDocument.defaultView;
    if (page === null) throw new ViewsError('view_not_ready', { status: 'detached' });
    const pageOrigin = page.origin;
    this.place = sandboxPlace(settings.sandboxUrl, resource, pageOrigin);
    this.policy = viewContentSecurityPolicy(resource.csp, {
      shellOrigin: pageOrigin,
      mode: settings.cspMode ?? 'declared',
    });
    this.element = this.createFrame(container.ownerDocument, pageOrigin);
    lifecycle.reach('sandbox-loading');
    container.append(this.element);
    this.bridge = this.createBridge(page, settings);
    this.story = createCallStory(this.bridge);
    this.story.tell(settings);
    this.readyTimer = clock.setTimer(READY_TIMEOUT_MS, () =>
      options.onFailure(new ViewsError('view_silent', { timeoutMs: READY_TIMEOUT_MS })),
    );
    this.element.addEventListener('load', this.onLoad);
    void this.bridge.start();
  }

  tell(settings: ViewSettings, surroundings: McpUiHostContext): void {
    this.story.tell(settings);
    this.bridge.updateHostContext(surroundings);
  }

  async close(): Promise<void> {
    this.readyTimer.cancel();
    this.blockedTimer?.cancel();
    this.element.removeEventListener('load', this.onLoad);
    await this.bridge.teardown();
  }

  private get isOpaque(): boolean {
    return this.place.origin === 'opaque';
  }

  private createFrame(ownerDocument: Document, pageOrigin: string): HTMLIFrameElement {
    const { resource, settings } = this.options;
    const allow = viewAllow(resource.permissions);
    const from =
      'url' in this.place
        ? { url: this.place.url }
        : { text: outerDocument({ pageOrigin, policy: this.policy.meta, allow }) };
    const frame = createViewFrame(
      ownerDocument,
      { from, origin: this.place.origin, allow },
      titleOf(settings()),
    );
    frame.style.flex = 'none';
    return frame;
  }

  private createBridge(page: Window, { hostInfo, source }: ViewSettings): ViewBridge {
    const { clock, settings, resource, host } = this.options;
    const target = this.element.contentWindow;
    if (target === null) throw new ViewsError('view_not_ready', { status: 'detached' });
    const { granted } = this.policy;
    const heldHost: ViewHostHandlers = Object.create(host, {
      onInitialized: { value: this.onInitialized },
    }) as ViewHostHandlers;
    return createViewBridge({
      transport: createWindowTransport({
        target,
        // The DOM's overloads describe the same listener.
        listenOn: page as unknown as WindowMessageSource,
        origin: this.place.origin,
      }),
      clock,
      profile: PROFILES.open,
      host: heldHost,
      hostInfo,
      hostContext: {
        ...this.options.surroundings(),
        ...(source.tool === undefined ? {} : { toolInfo: { tool: toolAsTold(source.tool) } }),
      },
      availableDisplayModes: settings().hostContext?.availableDisplayModes ?? MODES,
      sandbox: { csp: granted, permissions: resource.permissions },
      teardownTimeoutMs: TEARDOWN_TIMEOUT_MS,
      onSandboxReady: this.onSandboxReady,
      get tools() {
        return settings().source.connection?.tools;
      },
      get hostCapabilities() {
        return settings().hostCapabilities;
      },
    });
  }

  /** The outer document asks what to show: once for each time that it is loaded. */
  private readonly onSandboxReady = (): void => {
    this.heard = true;
    this.blockedTimer?.cancel();
    // It may ask shortly before its loading is reported.
    if (this.handedOut > this.loads) return;
    this.handedOut += 1;
    const { html, permissions } = this.options.resource;
    this.bridge.sendSandboxResource({
      html: guestDocument(html, this.isOpaque ? undefined : this.policy.meta),
      sandbox: this.isOpaque ? OPAQUE_VIEW_SANDBOX : VIEW_SANDBOX,
      csp: this.policy.granted,
      permissions,
    });
    this.options.lifecycle.reach('connecting');
  };

  private readonly onInitialized: NonNullable<ViewHostHandlers['onInitialized']> = (info) => {
    this.heard = true;
    this.readyTimer.cancel();
    this.options.host.onInitialized?.(info);
  };

  private readonly onLoad = (): void => {
    // An address that led back to the page's own origin.
    if (!this.isOpaque && this.element.contentDocument !== null) {
      const { url } = this.place as { url: string };
      this.options.onFailure(new ViewsError('unsafe_sandbox', { url }));
      return;
    }
    this.loads += 1;
    if (this.heard || !this.isOpaque) return;
    this.blockedTimer = this.options.clock.setTimer(BLOCKED_AFTER_MS, () =>
      this.options.onFailure(new ViewsError('sandbox_blocked', {})),
    );
  };
}

/**
 * Puts the frame of a view into `container` and speaks to it.
 *
 * @throws ViewsError `unsafe_sandbox`, and then there is no frame
 */
export function openSandbox(container: HTMLElement, options: SandboxFrameOptions): SandboxFrame {
  return new BridgedFrame(container, options);
}
