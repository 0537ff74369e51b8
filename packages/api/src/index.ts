export {
  artifactSchema,
  consentSchema,
  frameCallSchema,
  frameSessionSchema,
  manifestSchema,
  openFrameSchema,
  publishResultSchema,
  publishSchema,
} from './artifacts.ts';
export type {
  Artifact,
  Consent,
  FrameCall,
  FrameSession,
  Grant,
  Manifest,
  ManifestServer,
  OpenFrame,
  Publish,
  PublishResult,
} from './artifacts.ts';
export { CONNECTOR_PROBLEMS, fillText } from './connector-problems.ts';
export type { ConnectorProblemFacts, ConnectorProblemKind, ProblemTexts } from './connector-problems.ts';
export { CONNECTOR_ACTIONS, CONNECTOR_CAUSES, CONNECTOR_STATES } from './connector-states.ts';
export type { ConnectorAction, ConnectorCause, ConnectorStatus } from './connector-states.ts';
export {
  MAX_CONNECTOR_NAME,
  accountInputSchema,
  approveCommandSchema,
  connectorInputSchema,
  connectorNameSchema,
  connectorSchema,
  enableConnectorSchema,
  importEntrySchema,
  importTextSchema,
  relabelSchema,
  splitCommandSchema,
  toolInfoSchema,
} from './connectors.ts';
export type {
  AccountInput,
  CommandPreview,
  Connector,
  ConnectorInput,
  ConnectorProblem,
  ConnectorStarts,
  ConnectorTransport,
  ImportEntry,
  ToolInfo,
} from './connectors.ts';
export {
  MAX_MESSAGE_TEXT,
  approvalDecisionSchema,
  conversationDetailSchema,
  conversationSchema,
  createConversationSchema,
  itemSchema,
  renameConversationSchema,
  sendMessageSchema,
  startCallSchema,
  toolCallSchema,
  toolResultSchema,
} from './conversations.ts';
export type {
  ApprovalDecision,
  AssistantMessage,
  CallStatus,
  Conversation,
  ConversationDetail,
  ConversationStatus,
  Item,
  ProblemCard,
  Progress,
  StartCall,
  ToolCall,
  ToolResult,
  UserMessage,
} from './conversations.ts';
export { API_ERRORS, apiErrorSchema } from './errors.ts';
export type { ApiErrorBody, ApiErrorCode } from './errors.ts';
export { bootstrapSchema, hostEventSchema, modelInfoSchema } from './events.ts';
export type { Bootstrap, HostEvent, ModelInfo } from './events.ts';
export { MAX_PAGE_BYTES } from './limits.ts';
export { ROUTES, SIGN_IN_PAGES, routePath } from './routes.ts';
export type { RouteName } from './routes.ts';
export { openViewSchema, viewRequestSchema, viewSessionSchema } from './views.ts';
export type { OpenView, ViewRequest, ViewSession } from './views.ts';
export {
  MAX_SIGN_IN_STEPS,
  SIGN_IN_CAUSES,
  clientIdentitySchema,
  connectorAuthSchema,
  signInAttemptSchema,
  signInCallbackSchema,
  signInModeSchema,
  signInResultSchema,
} from './sign-ins.ts';
export type {
  ClientIdentity,
  ClientIdentityInput,
  ConnectorAuth,
  SignInAttempt,
  SignInCause,
  SignInMode,
  SignInResult,
  SignInStep,
} from './sign-ins.ts';
