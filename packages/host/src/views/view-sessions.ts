import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OpenView, ToolCall, ViewRequest, ViewSession } from '@portico/api';
import type { Connections } from '@portico/connections';
import {
  proxyDocument,
  resolveViewResource,
  viewAllow,
  viewContentSecurityPolicy,
  viewDocument,
} from '@portico/views';
import type { ViewResource } from '@portico/views';
import { ApiRefusal } from '../api-refusal.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import type { ConnectorService } from '../gateway/connector-service.ts';
import type { FirstUse } from '../gateway/first-use.ts';
import { describeProblem } from '../gateway/problems.ts';
import { sandboxOrigin } from '../http/host-gate.ts';
import { newId } from '../random-ids.ts';
import { OPAQUE_LABEL, OPAQUE_PATH } from '../sandbox/sandbox-app.ts';
import { MAX_DOCUMENTS } from '../sandbox/sandbox-documents.ts';
import type { SandboxDocument, SandboxDocuments } from '../sandbox/sandbox-documents.ts';
import type { SandboxLabels } from '../sandbox/sandbox-labels.ts';
import type { ViewAnswer, ViewRequests } from './view-requests.ts';

export interface ViewSessionOptions {
  readonly book: ConversationBook;
  readonly connectors: ConnectorService;
  readonly connections: Pick<Connections, 'readResource'>;
  readonly requests: ViewRequests;
  readonly firstUse: Pick<FirstUse, 'begin'>;
  readonly documents: SandboxDocuments;
  readonly labels: SandboxLabels;
  readonly proxyBundleFile: string;
  readonly port: () => number;
}

/** Rendered instances of MCP Apps, from opening to closing. */
export interface ViewSessions {
  /**
   * Opens the view of a call: reads its document and gives it an address on its connector's origin.
   * @param shellOrigin origin of the page that will embed it
   * @throws ApiRefusal not_found, connector_not_ready, upstream_failed
   */
  open(at: OpenView, shellOrigin: string): Promise<ViewSession>;
  close(viewId: string): void;
  /** @throws ApiRefusal not_found for a view that is not open */
  request(viewId: string, request: ViewRequest, signal: AbortSignal): Promise<ViewAnswer>;
}

interface OpenedView {
  readonly token: string;
  readonly connectorId: string;
}

export function createViewSessions(options: ViewSessionOptions): ViewSessions {
  const { book, connectors, documents } = options;
  const views = new Map<string, OpenedView>();

  const close = (viewId: string): void => {
    const view = views.get(viewId);
    if (view === undefined) return;
    views.delete(viewId);
    documents.remove(view.token);
  };
  const dropOldest = (): void => {
    for (const viewId of views.keys()) {
      if (views.size <= MAX_DOCUMENTS / 2) return;
      close(viewId);
    }
  };

  return {
    async open({ conversationId, callId, opaque = false }, shellOrigin) {
      const call = await callWithView(book, conversationId, callId);
      await options.firstUse.begin(call.connectorId);
      const tool = toolOf(connectors, call);
      const resource = await readView(options, call);
      const script = await readFile(options.proxyBundleFile, 'utf8');
      // Apps that name no domain of their own share storage within one conversation only.
      const place =
        resource.domain === undefined ? `${call.connectorId}:${conversationId}` : call.connectorId;
      const label = opaque ? OPAQUE_LABEL : options.labels.labelOf('connector', place);
      const allow = viewAllow(resource.permissions);
      const token = documents.add(
        opaque
          ? opaqueView({ resource, shellOrigin })
          : isolatedView({ label, resource, shellOrigin, script, allow }),
      );
      const viewId = newId('view');
      views.set(viewId, { token, connectorId: call.connectorId });
      dropOldest();
      const origin = sandboxOrigin(label, options.port());
      return {
        viewId,
        ...(opaque
          ? { url: `${shellOrigin}${OPAQUE_PATH}view/${token}`, origin: 'opaque' }
          : { url: `${origin}/view/${token}`, origin }),
        connectorName: call.connectorName,
        call,
        tool,
        ...(resource.prefersBorder === undefined ? {} : { prefersBorder: resource.prefersBorder }),
        allow,
        grantedOrigins: grantedOrigins(resource, shellOrigin),
      };
    },
    close,
    async request(viewId, request, signal) {
      const view = views.get(viewId);
      if (view === undefined) throw new ApiRefusal('not_found', 'This view is not open.');
      return await options.requests.answer(view.connectorId, request, signal);
    },
  };
}

/** Origins that the view's own policy lets it use, by kind; for its details. */
function grantedOrigins({ csp }: ViewResource, shellOrigin: string): Record<string, string[]> {
  const { granted } = viewContentSecurityPolicy(csp, { shellOrigin });
  return Object.fromEntries(Object.entries(granted).map(([kind, origins]) => [kind, [...origins]]));
}

async function callWithView(
  book: ConversationBook,
  conversationId: string,
  callId: string,
): Promise<ToolCall & { viewUri: string }> {
  const item = await book.item(conversationId, callId);
  if (item?.type !== 'tool_call') throw new ApiRefusal('not_found', 'There is no such call.');
  const { viewUri } = item;
  if (viewUri === undefined) throw new ApiRefusal('not_found', 'This tool has no view.');
  return { ...item, viewUri };
}

function toolOf(connectors: ConnectorService, call: ToolCall): ViewSession['tool'] {
  const record = connectors.record(call.connectorId);
  if (record === undefined)
    throw new ApiRefusal('not_found', `The connector "${call.connectorName}" was deleted.`);
  const state = connectors.state(call.connectorId);
  if (!record.enabled || (state?.status !== 'ready' && state?.status !== 'degraded')) {
    throw new ApiRefusal('connector_not_ready', `The connector "${record.name}" is not ready.`);
  }
  const tool = state.tools.find((candidate) => candidate.name === call.tool);
  if (tool === undefined)
    throw new ApiRefusal('not_found', `"${record.name}" has no tool called "${call.tool}" any more.`);
  return { ...tool };
}

async function readView(
  options: ViewSessionOptions,
  call: ToolCall & { viewUri: string },
): Promise<ViewResource> {
  const { connectorId, viewUri } = call;
  let result: unknown;
  try {
    result = await options.connections.readResource(connectorId, viewUri, {});
  } catch (error) {
    throw new ApiRefusal('upstream_failed', `The view could not be read. ${describeProblem(error).message}`);
  }
  const listed = options.connectors
    .state(connectorId)
    ?.resources.find((resource) => resource.uri === viewUri);
  const resolved = resolveViewResource({ uri: viewUri, result, ...(listed === undefined ? {} : { listed }) });
  if (resolved.ok) return resolved.resource;
  const { reason, ruleId } = resolved.refusal;
  throw new ApiRefusal('upstream_failed', `The view cannot be shown: ${reason}`, [`${ruleId}: ${reason}`]);
}

interface ViewPlace {
  readonly label: string;
  readonly resource: ViewResource;
  readonly shellOrigin: string;
  readonly script: string;
  readonly allow: string;
}

/** The view alone: an opaque origin cannot be a frame's ancestor, so there is no outer document. */
function opaqueView({ resource, shellOrigin }: Pick<ViewPlace, 'resource' | 'shellOrigin'>): SandboxDocument {
  const app = viewDocument({ resource, shellOrigin, opaque: true });
  return { kind: 'view', label: OPAQUE_LABEL, parts: { '': () => app } };
}

function isolatedView(place: ViewPlace): SandboxDocument {
  const { label, resource, shellOrigin, script, allow } = place;
  const app = viewDocument({ resource, shellOrigin });
  const parts: SandboxDocument['parts'] = {
    '': (token) =>
      proxyDocument({
        shellOrigin,
        appPath: `/view/${token}/app`,
        script,
        nonce: randomBytes(18).toString('base64'),
        allow,
      }),
    app: () => app,
  };
  return { kind: 'view', label, parts };
}
