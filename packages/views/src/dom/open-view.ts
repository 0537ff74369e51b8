import { systemClock } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import type { McpUiDisplayMode, McpUiHostContext } from '@portico/spec';
import { ViewsError } from '../errors.ts';
import { createLifecycle } from '../lifecycle.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { ViewResource } from '../view-resource.ts';
import { applyDisplayMode, createAlert, createExitButton } from './display-place.ts';
import { canResolve, resolveDocument } from './resolve-document.ts';
import { openSandbox } from './sandbox-frame.ts';
import type { SandboxFrame } from './sandbox-frame.ts';
import { settingsHandlers, tellPage } from './settings-handlers.ts';
import { EXIT_LABEL, INLINE_HEIGHT, INLINE_MAX_WIDTH_PX, MODE_WAIT_MS } from './view-defaults.ts';
import { applyHeight, moveLive, watchWidth } from './view-frame.ts';
import type { ViewSettings } from './view-settings.ts';

/** One view from its address to its end. */
export interface OpenedView {
  /** What holds the frame, and an alert where there is none. */
  readonly element: HTMLElement;
  /** The newest settings; equal ones change nothing, and none of them starts the view again. */
  update(settings: ViewSettings): void;
  /** Moves the view with its live document. False where the browser cannot: nothing has moved. */
  moveTo(parent: Element): boolean;
  /** Takes the view from sight at once, lets it clean up for 2 s at most, and removes it. */
  dispose(): Promise<void>;
}

export interface OpenViewOptions {
  readonly settings: ViewSettings;
  /** Default: the platform's time. */
  readonly clock?: Clock;
}

function unexpected(error: unknown): ViewsError {
  if (error instanceof ViewsError) return error;
  const reason = error instanceof Error ? error.message : 'unknown';
  return new ViewsError('view_failed', { reason }, { cause: error });
}

class DocumentView implements OpenedView {
  readonly element: HTMLElement;
  private settings: ViewSettings;
  private readonly clock: Clock;
  private readonly lifecycle: Lifecycle;
  private readonly exit: HTMLButtonElement;
  private readonly reading = new AbortController();
  private resolving = false;
  private sandbox: SandboxFrame | undefined;
  private stopWatching: () => void = () => undefined;
  private ownMode: McpUiDisplayMode = 'inline';
  private inlineHeight: string | undefined;
  private readonly modeWaiters = new Set<() => void>();
  private disposed: Promise<void> | undefined;

  constructor(container: HTMLElement, { settings, clock }: OpenViewOptions) {
    this.settings = settings;
    this.clock = clock ?? systemClock;
    this.element = container.ownerDocument.createElement('div');
    this.exit = createExitButton(container.ownerDocument, () => void this.changeMode('inline'));
    this.element.append(this.exit);
    container.append(this.element);
    this.lifecycle = createLifecycle({
      changed: (status, error) => tellPage(() => this.settings.onLifecycleChange?.(status, error)),
    });
    this.showMode();
    this.lifecycle.reach('resolving');
    this.resolveOnce();
  }

  update(settings: ViewSettings): void {
    this.settings = settings;
    if (this.disposed !== undefined || this.lifecycle.ended) return;
    this.showMode();
    this.resolveOnce();
    this.sandbox?.tell(settings, this.surroundings());
    for (const check of this.modeWaiters) check();
  }

  moveTo(parent: Element): boolean {
    return moveLive(this.element, parent);
  }

  dispose(): Promise<void> {
    this.disposed ??= this.end();
    return this.disposed;
  }

  private get mode(): McpUiDisplayMode {
    return this.settings.displayMode ?? this.ownMode;
  }

  /** A server that cannot be asked yet is asked as soon as it can. */
  private resolveOnce(): void {
    if (this.resolving || !canResolve(this.settings.source)) return;
    this.resolving = true;
    void this.show();
  }

  private async show(): Promise<void> {
    try {
      const resource = await resolveDocument(this.settings.source, this.reading.signal);
      if (this.disposed === undefined) this.open(resource);
    } catch (error) {
      this.fail(unexpected(error));
    }
  }

  private open(resource: ViewResource): void {
    this.sandbox = openSandbox(this.element, {
      resource,
      settings: () => this.settings,
      clock: this.clock,
      lifecycle: this.lifecycle,
      surroundings: () => this.surroundings(),
      onFailure: (error) => this.fail(error),
      host: settingsHandlers({
        settings: () => this.settings,
        clock: this.clock,
        changeMode: (mode) => this.changeMode(mode),
        onSizeChanged: ({ height }) => {
          // Elsewhere the page decides; the height chosen inline is there again afterwards.
          if (this.mode === 'inline' && this.sandbox !== undefined)
            applyHeight(this.sandbox.element, height, INLINE_HEIGHT);
        },
        onInitialized: () => this.initialized(),
      }),
    });
    this.showMode();
    this.stopWatching = watchWidth(this.sandbox.element, () => this.tellSurroundings());
  }

  private initialized(): void {
    if (this.lifecycle.status === 'ready') return;
    this.lifecycle.reach('ready');
    tellPage(() => this.settings.onReady?.());
  }

  private surroundings(): McpUiHostContext {
    const width = Math.round(this.element.clientWidth);
    const height = Math.round(this.element.clientHeight - this.exit.offsetHeight);
    return {
      platform: 'web',
      ...this.settings.hostContext,
      displayMode: this.mode,
      containerDimensions:
        this.mode === 'inline' ? { width, maxHeight: INLINE_HEIGHT.maxPx } : { width, height },
    };
  }

  private tellSurroundings(): void {
    if (this.disposed === undefined) this.sandbox?.tell(this.settings, this.surroundings());
  }

  private showMode(): void {
    const { mode } = this;
    applyDisplayMode(this.element, mode, this.settings.inlineMaxWidth ?? INLINE_MAX_WIDTH_PX);
    this.exit.textContent = this.settings.exitLabel ?? EXIT_LABEL;
    this.exit.hidden = mode !== 'fullscreen';
    const frame = this.sandbox?.element;
    if (frame === undefined) return;
    if (mode === 'inline') {
      frame.style.flex = 'none';
      frame.style.height = this.inlineHeight ?? frame.style.height;
      this.inlineHeight = undefined;
    } else {
      this.inlineHeight ??= frame.style.height;
      Object.assign(frame.style, { flex: '1 1 0', minHeight: '0', height: 'auto' });
    }
  }

  private async changeMode(mode: McpUiDisplayMode): Promise<McpUiDisplayMode> {
    const decidedByPage = this.settings.displayMode !== undefined;
    if (!decidedByPage) {
      this.ownMode = mode;
      this.showMode();
    }
    tellPage(() => this.settings.onDisplayModeChange?.(mode));
    if (decidedByPage) await this.waitForMode(mode);
    else this.tellSurroundings();
    return this.mode;
  }

  /** The page follows by its next settings, or does not. */
  private waitForMode(mode: McpUiDisplayMode): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        this.modeWaiters.delete(check);
        resolve();
      };
      const check = (): void => {
        if (this.mode === mode || this.disposed !== undefined) done();
      };
      const timer = this.clock.setTimer(MODE_WAIT_MS, done);
      this.modeWaiters.add(check);
      check();
    });
  }

  private fail(error: ViewsError): void {
    if (!this.lifecycle.fail(error)) return;
    void this.sandbox?.close();
    this.sandbox?.element.remove();
    this.stopWatching();
    this.exit.hidden = true;
    applyDisplayMode(this.element, 'inline', this.settings.inlineMaxWidth ?? INLINE_MAX_WIDTH_PX);
    this.element.append(createAlert(this.element.ownerDocument, error));
    tellPage(() => this.settings.onError?.(error));
  }

  private async end(): Promise<void> {
    this.lifecycle.leave('tearing-down');
    this.reading.abort();
    this.stopWatching();
    for (const check of this.modeWaiters) check();
    this.element.style.display = 'none';
    // Kept alive elsewhere, since whoever disposes of it may remove its place at once.
    moveLive(this.element, this.element.ownerDocument.body);
    await this.sandbox?.close();
    this.element.remove();
    this.lifecycle.leave('closed');
  }
}

/**
 * Opens a view in `container`: reads its document, loads it in a sandbox that cannot touch the page,
 * speaks to it, and says in words why there is none when something fails.
 *
 * @param container an element of the trusted page; what is shown becomes its last child
 */
export function openView(container: HTMLElement, options: OpenViewOptions): OpenedView {
  return new DocumentView(container, options);
}
