import type { Clock } from '@portico/rpc';
import type { McpUiDisplayMode } from '@portico/spec';
import type { ViewHostHandlers } from '../bridge/handlers.ts';
import { askServer } from '../view-connection.ts';
import { TOOL_CALL_TIMEOUT_MS } from './view-defaults.ts';
import type { ViewSettings } from './view-settings.ts';

export interface SettingsHandlersOptions {
  /** The newest settings. */
  readonly settings: () => ViewSettings;
  readonly clock: Clock;
  /** Moves the view, or asks the page to; resolves with the mode in force. */
  readonly changeMode: (mode: McpUiDisplayMode) => Promise<McpUiDisplayMode>;
  readonly onSizeChanged: NonNullable<ViewHostHandlers['onSizeChanged']>;
  readonly onInitialized: () => void;
}

type Handlers = { readonly [Name in keyof ViewHostHandlers]-?: ViewHostHandlers[Name] | undefined };

/** Runs a callback that answers nothing; what it throws goes to the page and not to the view. */
export function tellPage(run: () => void): void {
  try {
    run();
  } catch (error) {
    globalThis.reportError(error);
  }
}

/** Handlers that ask the settings each time: which of them exist, and which functions they are. */
export function settingsHandlers(options: SettingsHandlersOptions): ViewHostHandlers {
  const { settings, clock } = options;
  const handlers: Handlers = {
    get serverRequest(): Handlers['serverRequest'] {
      const { connection } = settings().source;
      if (connection === undefined) return undefined;
      const toolCallTimeoutMs = settings().toolCallTimeout ?? TOOL_CALL_TIMEOUT_MS;
      return (request, { signal }) => askServer(connection, request, { clock, toolCallTimeoutMs, signal });
    },
    get openLink(): Handlers['openLink'] {
      const { onOpenLink } = settings();
      return onOpenLink && (async (url) => await onOpenLink(url));
    },
    get sendMessage(): Handlers['sendMessage'] {
      const { onMessage } = settings();
      return onMessage && (async (content) => await onMessage(content));
    },
    get updateModelContext(): Handlers['updateModelContext'] {
      return settings().onUpdateModelContext;
    },
    get downloadFiles(): Handlers['downloadFiles'] {
      const { onDownloadFile } = settings();
      return onDownloadFile && (async (contents) => await onDownloadFile(contents));
    },
    get requestDisplayMode(): Handlers['requestDisplayMode'] {
      const { displayMode, onDisplayModeChange } = settings();
      // A page that decides the mode and does not listen cannot be asked.
      return displayMode !== undefined && onDisplayModeChange === undefined ? undefined : options.changeMode;
    },
    onSizeChanged(size) {
      options.onSizeChanged(size);
      tellPage(() => settings().onSizeChanged?.(size));
    },
    onInitialized: options.onInitialized,
    onAppTools: (tools) => tellPage(() => settings().onAppTools?.(tools)),
    onLog: (entry) => tellPage(() => settings().onLog?.(entry)),
    onCspViolation: (violation) => tellPage(() => settings().onCspViolation?.(violation)),
    onRequestTeardown: () => tellPage(() => settings().onRequestTeardown?.()),
    onRefusal: (refusal) => tellPage(() => settings().onRefusal?.(refusal)),
  };
  // A handler that answers undefined is one that is missing: nobody looks for the name alone.
  return handlers as ViewHostHandlers;
}
