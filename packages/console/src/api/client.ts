import { routePath } from '@portico/api';
import type {
  AccountInput,
  ApprovalDecision,
  Artifact,
  Bootstrap,
  ClientIdentityInput,
  Connector,
  ConnectorInput,
  Consent,
  Conversation,
  ConversationDetail,
  FrameCall,
  FrameSession,
  ImportEntry,
  Item,
  OpenFrame,
  OpenView,
  Publish,
  PublishResult,
  RouteName,
  SignInAttempt,
  SignInResult,
  StartCall,
  ToolCall,
  ToolInfo,
  ViewRequest,
  ViewSession,
} from '@portico/api';
import { requestJson } from './request.ts';
import type { Fetch, RequestOptions } from './request.ts';

export interface SplitCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Every request the console makes, by name. Each rejects with a ConsoleError. */
export interface ApiClient {
  bootstrap(): Promise<Bootstrap>;
  version(): Promise<string>;
  addConnector(input: ConnectorInput): Promise<Connector>;
  changeConnector(connectorId: string, input: ConnectorInput): Promise<Connector>;
  removeConnector(connectorId: string): Promise<void>;
  enableConnector(connectorId: string, enabled: boolean): Promise<Connector>;
  approveCommand(connectorId: string, hash: string): Promise<Connector>;
  reconnect(connectorId: string): Promise<Connector>;
  addAccount(connectorId: string, account: AccountInput): Promise<Connector>;
  relabel(connectorId: string, label: string): Promise<Connector>;
  signInAttempts(connectorId: string): Promise<readonly SignInAttempt[]>;
  cancelSignIn(connectorId: string): Promise<void>;
  signOut(connectorId: string): Promise<Connector>;
  setIdentity(connectorId: string, identity: ClientIdentityInput): Promise<Connector>;
  forgetIdentity(connectorId: string): Promise<Connector>;
  /** Hands over the query that the browser came back with from a sign-in. */
  finishSignIn(query: string): Promise<SignInResult>;
  tools(connectorId: string): Promise<readonly ToolInfo[]>;
  readImport(text: string): Promise<readonly ImportEntry[]>;
  splitCommand(line: string): Promise<SplitCommand>;
  createConversation(title?: string): Promise<Conversation>;
  conversation(conversationId: string): Promise<ConversationDetail>;
  renameConversation(conversationId: string, title: string): Promise<Conversation>;
  removeConversation(conversationId: string): Promise<void>;
  sendMessage(conversationId: string, text: string, clientId: string): Promise<Item>;
  stop(conversationId: string): Promise<void>;
  retry(conversationId: string): Promise<void>;
  startCall(conversationId: string, call: StartCall): Promise<ToolCall>;
  cancelCall(conversationId: string, callId: string): Promise<void>;
  decideCall(at: CallAddress, decision: ApprovalDecision): Promise<ToolCall>;
  publish(page: Publish): Promise<PublishResult>;
  removeArtifact(artifactId: string): Promise<void>;
  setConsent(artifactId: string, consent: Consent): Promise<Artifact>;
  openFrame(frame: OpenFrame): Promise<FrameSession>;
  closeFrame(frameId: string): Promise<void>;
  frameCall(frameId: string, call: FrameCall, signal?: AbortSignal): Promise<unknown>;
  frameTools(frameId: string): Promise<unknown>;
  openView(view: OpenView): Promise<ViewSession>;
  closeView(viewId: string): Promise<void>;
  viewRequest(viewId: string, request: ViewRequest, signal?: AbortSignal): Promise<unknown>;
}

export interface CallAddress {
  readonly conversationId: string;
  readonly callId: string;
}

type Send = (
  method: RequestOptions['method'],
  path: string,
  more?: { readonly body?: unknown; readonly signal?: AbortSignal | undefined },
) => Promise<unknown>;

/** Binds the API to a fetch; the answers are trusted, since page and host are one release. */
export function createApiClient(fetch: Fetch): ApiClient {
  const send: Send = (method, path, more = {}) =>
    requestJson(fetch, path, {
      method,
      ...(more.body === undefined ? {} : { body: more.body }),
      ...(more.signal === undefined ? {} : { signal: more.signal }),
    });
  return {
    bootstrap: async () => (await send('GET', routePath('bootstrap'))) as Bootstrap,
    version: async () => ((await send('GET', routePath('version'))) as { version: string }).version,
    ...connectorCalls(send),
    ...accountCalls(send),
    ...conversationCalls(send),
    ...artifactCalls(send),
    ...viewCalls(send),
  };
}

function connectorCalls(send: Send) {
  const at = (name: RouteName, connectorId: string): string => routePath(name, { connectorId });
  return {
    addConnector: async (input: ConnectorInput) =>
      (await send('POST', routePath('connectors'), { body: input })) as Connector,
    changeConnector: async (id: string, input: ConnectorInput) =>
      (await send('PUT', at('connector', id), { body: input })) as Connector,
    removeConnector: async (id: string) => void (await send('DELETE', at('connector', id))),
    enableConnector: async (id: string, enabled: boolean) =>
      (await send('PUT', at('connectorEnabled', id), { body: { enabled } })) as Connector,
    approveCommand: async (id: string, hash: string) =>
      (await send('POST', at('connectorApproval', id), { body: { hash } })) as Connector,
    reconnect: async (id: string) => (await send('POST', at('connectorReconnect', id))) as Connector,
    tools: async (id: string) =>
      ((await send('GET', at('connectorTools', id))) as { tools: ToolInfo[] }).tools,
    readImport: async (text: string) =>
      ((await send('POST', routePath('connectorImport'), { body: { text } })) as { entries: ImportEntry[] })
        .entries,
    splitCommand: async (line: string) =>
      (await send('POST', routePath('splitCommand'), { body: { line } })) as SplitCommand,
  };
}

function accountCalls(send: Send) {
  const at = (name: RouteName, connectorId: string): string => routePath(name, { connectorId });
  return {
    addAccount: async (id: string, account: AccountInput) =>
      (await send('POST', at('connectorAccounts', id), { body: account })) as Connector,
    relabel: async (id: string, label: string) =>
      (await send('PUT', at('connectorLabel', id), { body: { label } })) as Connector,
    signInAttempts: async (id: string) =>
      ((await send('GET', at('connectorSignIns', id))) as { attempts: SignInAttempt[] }).attempts,
    cancelSignIn: async (id: string) => void (await send('DELETE', at('connectorSignIn', id))),
    signOut: async (id: string) =>
      (await send('POST', at('connectorSignOut', id), { body: {} })) as Connector,
    setIdentity: async (id: string, identity: ClientIdentityInput) =>
      (await send('PUT', at('connectorIdentity', id), { body: identity })) as Connector,
    forgetIdentity: async (id: string) => (await send('DELETE', at('connectorIdentity', id))) as Connector,
    finishSignIn: async (query: string) =>
      (await send('POST', routePath('signInCallback'), { body: { query } })) as SignInResult,
  };
}

function conversationCalls(send: Send) {
  const at = (name: RouteName, conversationId: string): string => routePath(name, { conversationId });
  return {
    createConversation: async (title?: string) =>
      (await send('POST', routePath('conversations'), {
        body: title === undefined ? {} : { title },
      })) as Conversation,
    conversation: async (id: string) => (await send('GET', at('conversation', id))) as ConversationDetail,
    renameConversation: async (id: string, title: string) =>
      (await send('PATCH', at('conversation', id), { body: { title } })) as Conversation,
    removeConversation: async (id: string) => void (await send('DELETE', at('conversation', id))),
    sendMessage: async (id: string, text: string, clientId: string) =>
      (await send('POST', at('messages', id), { body: { text, clientId } })) as Item,
    stop: async (id: string) => void (await send('POST', at('stop', id))),
    retry: async (id: string) => void (await send('POST', at('retry', id))),
    startCall: async (id: string, call: StartCall) =>
      (await send('POST', at('calls', id), { body: call })) as ToolCall,
    cancelCall: async (conversationId: string, callId: string) =>
      void (await send('POST', routePath('callCancel', { conversationId, callId }))),
    decideCall: async ({ conversationId, callId }: CallAddress, decision: ApprovalDecision) =>
      (await send('POST', routePath('callDecision', { conversationId, callId }), {
        body: decision,
      })) as ToolCall,
  };
}

function artifactCalls(send: Send) {
  return {
    publish: async (page: Publish) =>
      (await send('POST', routePath('artifacts'), { body: page })) as PublishResult,
    removeArtifact: async (artifactId: string) =>
      void (await send('DELETE', routePath('artifact', { artifactId }))),
    setConsent: async (artifactId: string, consent: Consent) =>
      (await send('PUT', routePath('artifactConsent', { artifactId }), { body: consent })) as Artifact,
    openFrame: async (frame: OpenFrame) =>
      (await send('POST', routePath('frames'), { body: frame })) as FrameSession,
    closeFrame: async (frameId: string) => void (await send('DELETE', routePath('frame', { frameId }))),
    frameCall: (frameId: string, call: FrameCall, signal?: AbortSignal) =>
      send('POST', routePath('frameCalls', { frameId }), { body: call, signal }),
    frameTools: (frameId: string) => send('GET', routePath('frameTools', { frameId })),
  };
}

function viewCalls(send: Send) {
  return {
    openView: async (view: OpenView) =>
      (await send('POST', routePath('views'), { body: view })) as ViewSession,
    closeView: async (viewId: string) => void (await send('DELETE', routePath('view', { viewId }))),
    viewRequest: (viewId: string, request: ViewRequest, signal?: AbortSignal) =>
      send('POST', routePath('viewRequests', { viewId }), { body: request, signal }),
  };
}
