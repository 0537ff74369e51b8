/**
 * Every route of the console's API with its method, so that host and console name each once.
 *
 * | route | body → answer |
 * | --- | --- |
 * | bootstrap | – → Bootstrap |
 * | events | – → event stream of HostEvent, resumed by `Last-Event-ID` or `?after=` |
 * | version | – → {version} |
 * | connectors | – → {connectors}; POST ConnectorInput → Connector |
 * | connector | PUT ConnectorInput → Connector; DELETE → 204 |
 * | connectorAccounts | POST {label, values?} → Connector (another account) |
 * | connectorLabel | PUT {label} → Connector |
 * | connectorSignIn | DELETE → 204 (ends the attempt that is under way) |
 * | connectorSignIns | – → {attempts} |
 * | connectorSignOut | POST {} → Connector |
 * | connectorIdentity | PUT ClientIdentity → Connector; DELETE → Connector |
 * | signInCallback | POST {query} → SignInResult |
 * | connectorEnabled | PUT {enabled} → Connector |
 * | connectorApproval | POST {hash} → Connector |
 * | connectorReconnect | POST {} → Connector |
 * | connectorTools | – → {tools} |
 * | connectorMcp | the connector as an MCP server: POST, GET and DELETE of streamable HTTP, both eras |
 * | connectorImport | POST {text} → {entries} (saves nothing) |
 * | splitCommand | POST {line} → {command, args} |
 * | conversations | POST {title?} → Conversation |
 * | conversation | GET → ConversationDetail; PATCH {title} → Conversation; DELETE → 204 |
 * | messages | POST {text, clientId?} → Item |
 * | calls | POST StartCall → ToolCall |
 * | callCancel, stop, retry | POST {} → 204 |
 * | callDecision | POST {decision, message?} → ToolCall |
 * | artifacts | POST Publish → PublishResult |
 * | artifact | DELETE → 204 |
 * | artifactConsent | PUT {server, decision} → Artifact |
 * | frames | POST {artifactId} → FrameSession |
 * | frame | DELETE → 204 |
 * | frameCalls | POST {server, tool, input} → {ok: true, result} or {ok: false, error: McpError} |
 * | frameTools | GET → {servers: ServerInfo[]} |
 * | views | POST {conversationId, callId} → ViewSession |
 * | view | DELETE → 204 |
 * | viewRequests | POST {method, params} → {result} or {error: {code, message, data?}} (JSON-RPC numbers) |
 */
export const ROUTES = {
  bootstrap: '/api/bootstrap',
  events: '/api/events',
  version: '/api/version',
  connectors: '/api/connectors',
  connectorImport: '/api/connectors/import',
  splitCommand: '/api/connectors/split-command',
  connector: '/api/connectors/:connectorId',
  connectorAccounts: '/api/connectors/:connectorId/accounts',
  connectorLabel: '/api/connectors/:connectorId/label',
  connectorSignIn: '/api/connectors/:connectorId/sign-in',
  connectorSignIns: '/api/connectors/:connectorId/sign-ins',
  connectorSignOut: '/api/connectors/:connectorId/sign-out',
  connectorIdentity: '/api/connectors/:connectorId/identity',
  signInCallback: '/api/sign-in/callback',
  connectorEnabled: '/api/connectors/:connectorId/enabled',
  connectorApproval: '/api/connectors/:connectorId/approval',
  connectorReconnect: '/api/connectors/:connectorId/reconnect',
  connectorMcp: '/api/connectors/:connectorId/mcp',
  connectorTools: '/api/connectors/:connectorId/tools',
  conversations: '/api/conversations',
  conversation: '/api/conversations/:conversationId',
  messages: '/api/conversations/:conversationId/messages',
  stop: '/api/conversations/:conversationId/stop',
  retry: '/api/conversations/:conversationId/retry',
  calls: '/api/conversations/:conversationId/calls',
  callCancel: '/api/conversations/:conversationId/calls/:callId/cancel',
  callDecision: '/api/conversations/:conversationId/calls/:callId/decision',
  artifacts: '/api/artifacts',
  artifact: '/api/artifacts/:artifactId',
  artifactConsent: '/api/artifacts/:artifactId/consent',
  frames: '/api/frames',
  frame: '/api/frames/:frameId',
  frameCalls: '/api/frames/:frameId/calls',
  frameTools: '/api/frames/:frameId/tools',
  views: '/api/views',
  view: '/api/views/:viewId',
  viewRequests: '/api/views/:viewId/requests',
} as const;

export type RouteName = keyof typeof ROUTES;

/** Fills a route's `:parameters`, each encoded. */
export function routePath(name: RouteName, parameters: Readonly<Record<string, string>> = {}): string {
  return ROUTES[name].replace(/:([a-zA-Z]+)/g, (_match, key: string) =>
    encodeURIComponent(parameters[key] ?? ''),
  );
}

/** Pages of the sign-in: what a window opens, where other sites send it back to, and where it ends. */
export const SIGN_IN_PAGES = {
  /** `?mode=window`, or `?mode=page&back=PATH` to come back to; goes on to the other site. */
  begin: '/sign-in/:connectorId',
  callback: '/oauth/callback',
  finish: '/oauth/finish',
} as const;
