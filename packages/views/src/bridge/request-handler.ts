import { ErrorCode, ProtocolError } from '@portico/rpc';
import type { JSONRPCRequest, RequestContext } from '@portico/rpc';
import { UI_METHODS, getToolUi } from '@portico/spec';
import type { McpUiDisplayMode, Tool } from '@portico/spec';
import type { Refusal } from '../errors.ts';
import type { Profile } from '../profiles.ts';
import { SERVER_METHODS } from './handlers.ts';
import type { ServerMethod, ViewHostHandlers, ViewInfo } from './handlers.ts';
import { readDisplayMode, readDownload, readLink, readMessage, readModelContext } from './host-answers.ts';
import { messageRefusal } from './message-rules.ts';

/** What the requests of a view are judged by. */
export interface RequestRules {
  readonly host: ViewHostHandlers;
  readonly profile: Profile;
  tools(): readonly Tool[] | undefined;
  readonly availableDisplayModes: readonly McpUiDisplayMode[];
  info(): ViewInfo | undefined;
  displayMode(): McpUiDisplayMode;
  setDisplayMode(mode: McpUiDisplayMode): void;
}

type Params = JSONRPCRequest['params'];

/** Modes of a view that declared none. */
const DEFAULT_MODES: readonly McpUiDisplayMode[] = ['inline', 'fullscreen'];

function isServerMethod(method: string): method is ServerMethod {
  return (SERVER_METHODS as readonly string[]).includes(method);
}

function notFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
}

/** Answers a view's requests, except for the handshake. */
export class RequestHandler {
  private readonly rules: RequestRules;
  private downloading = false;

  constructor(rules: RequestRules) {
    this.rules = rules;
  }

  /** @throws ProtocolError for what is malformed, unknown or forbidden */
  async handle(request: JSONRPCRequest, context: RequestContext): Promise<unknown> {
    const { method, params } = request;
    if (method === 'ping') return {};
    if (this.rules.info() === undefined) {
      throw new ProtocolError(ErrorCode.InvalidRequest, 'ui/initialize comes first.');
    }
    if (isServerMethod(method)) return await this.serverRequest({ method, params: params ?? {} }, context);
    switch (method) {
      case UI_METHODS.openLink:
        return await this.openLink(params);
      case UI_METHODS.message:
        return await this.message(params);
      case UI_METHODS.updateModelContext:
        return await this.updateModelContext(params);
      case UI_METHODS.requestDisplayMode:
        return await this.requestDisplayMode(params);
      case UI_METHODS.downloadFile:
        return await this.downloadFile(params);
      default:
        throw notFound(method);
    }
  }

  private refuse(refusal: Refusal): Refusal {
    this.rules.host.onRefusal?.(refusal);
    return refusal;
  }

  private async serverRequest(
    request: { method: ServerMethod; params: object },
    context: RequestContext,
  ): Promise<unknown> {
    const { host } = this.rules;
    if (host.serverRequest === undefined) throw notFound(request.method);
    const params = request.params as Readonly<Record<string, unknown>>;
    if (request.method === 'tools/call') this.checkTool(params['name']);
    const answer = await host.serverRequest({ method: request.method, params }, { signal: context.signal });
    if ('error' in answer)
      throw new ProtocolError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result;
  }

  /** A view calls tools of its own connector that are meant for views, and no others (P3). */
  private checkTool(name: unknown): void {
    if (typeof name !== 'string') {
      throw new ProtocolError(ErrorCode.InvalidParams, 'Invalid params for tools/call: name is missing');
    }
    const tools = this.rules.tools();
    const tool = tools?.find((candidate) => candidate.name === name);
    if (tools !== undefined && tool === undefined)
      this.denyTool(name, 'The connector has no tool of this name.');
    if (tool !== undefined && !getToolUi(tool).visibility.includes('app')) {
      this.denyTool(name, 'The tool is not visible to apps.');
    }
  }

  private denyTool(name: string, reason: string): never {
    const refusal = this.refuse({ ruleId: 'apps-P3', reason, subject: name.slice(0, 256) });
    throw new ProtocolError(ErrorCode.InvalidParams, reason, refusal);
  }

  /** A yes or no of the page around the view; its failure is a no. */
  private async decide(ruleId: string, ask: () => Promise<boolean>): Promise<{ isError?: true }> {
    try {
      if (await ask()) return {};
      this.refuse({ ruleId, reason: 'The person or the host declined.' });
    } catch (error) {
      this.refuse({
        ruleId,
        reason: `The host failed: ${error instanceof Error ? error.message : 'unknown reason'}`,
      });
    }
    return { isError: true };
  }

  private async openLink(params: Params): Promise<unknown> {
    const { host, profile } = this.rules;
    if (host.openLink === undefined) throw notFound(UI_METHODS.openLink);
    const url = readLink(params);
    if (!profile.linkSchemes.includes(url.protocol)) {
      const reason = `Links with ${url.protocol} are not opened; ${profile.linkSchemes.join(' ')} are.`;
      this.refuse({ ruleId: 'host-open-link', reason, subject: url.href.slice(0, 256) });
      return { isError: true };
    }
    return await this.decide('host-open-link', async () => (await host.openLink?.(url.href)) === true);
  }

  private async message(params: Params): Promise<unknown> {
    const { host, profile } = this.rules;
    if (host.sendMessage === undefined) throw notFound(UI_METHODS.message);
    const content = readMessage(params);
    const refusal = messageRefusal(content, profile.messages);
    if (refusal !== undefined) {
      this.refuse(refusal);
      return { isError: true };
    }
    return await this.decide('apps-M7', async () => (await host.sendMessage?.(content)) === true);
  }

  private async updateModelContext(params: Params): Promise<unknown> {
    const { host } = this.rules;
    if (host.updateModelContext === undefined) throw notFound(UI_METHODS.updateModelContext);
    await host.updateModelContext(readModelContext(params));
    return {};
  }

  private async requestDisplayMode(params: Params): Promise<unknown> {
    const mode = readDisplayMode(params);
    const current = this.rules.displayMode();
    if (mode === current) return { mode };
    const refusal = this.displayModeRefusal(mode);
    if (refusal !== undefined) {
      this.refuse({ ...refusal, subject: mode });
      return { mode: current };
    }
    const granted = await this.rules.host.requestDisplayMode?.(mode).catch(() => current);
    if (granted !== undefined && granted !== current) this.rules.setDisplayMode(granted);
    if (granted !== mode)
      this.refuse({ ruleId: 'apps-D20', reason: 'The host did not move the view.', subject: mode });
    return { mode: granted ?? current };
  }

  private displayModeRefusal(mode: McpUiDisplayMode): Refusal | undefined {
    const declared = this.rules.info()?.capabilities.availableDisplayModes ?? DEFAULT_MODES;
    if (!declared.includes(mode))
      return { ruleId: 'apps-P14', reason: 'The view itself did not declare this mode.' };
    if (
      !this.rules.availableDisplayModes.includes(mode) ||
      this.rules.host.requestDisplayMode === undefined
    ) {
      return { ruleId: 'apps-D47', reason: 'This mode is not available here.' };
    }
    return undefined;
  }

  private async downloadFile(params: Params): Promise<unknown> {
    const { host } = this.rules;
    if (host.downloadFiles === undefined) {
      this.refuse({ ruleId: 'apps-W2', reason: 'Downloads are not offered here.' });
      throw notFound(UI_METHODS.downloadFile);
    }
    const contents = readDownload(params);
    if (contents.every((item) => item.type === 'resource_link')) {
      this.refuse({
        ruleId: 'apps-W11',
        reason: 'Links are not fetched for a view; send the files themselves.',
      });
      return { isError: true };
    }
    if (this.downloading) {
      this.refuse({ ruleId: 'apps-W18', reason: 'Another download of this view waits for an answer.' });
      return { isError: true };
    }
    this.downloading = true;
    const answer = await this.decide('apps-W20', async () => (await host.downloadFiles?.(contents)) === true);
    this.downloading = false;
    return answer;
  }
}
