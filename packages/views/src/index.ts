export { selectAppTools } from './bridge/app-tools.ts';
export type { AppTool, AppToolSelection } from './bridge/app-tools.ts';
export { createViewBridge } from './bridge/create-view-bridge.ts';
export type {
  CspViolation,
  ModelContext,
  ServerAnswer,
  ServerMethod,
  ServerRequest,
  ViewHostHandlers,
  ViewInfo,
} from './bridge/handlers.ts';
export type { ViewBridge, ViewBridgeOptions, ViewStatus } from './bridge/view-bridge.ts';
export { VIEWS_ERRORS, ViewsError } from './errors.ts';
export type { Refusal, ViewsErrorCode, ViewsErrorData } from './errors.ts';
export type { ViewLifecycle } from './lifecycle.ts';
export { PROFILES } from './profiles.ts';
export type { AppToolLimits, Profile } from './profiles.ts';
export { viewContentSecurityPolicy } from './sandbox/content-security-policy.ts';
export type { CspMode, ViewPolicy, ViewPolicyOptions } from './sandbox/content-security-policy.ts';
export {
  VIEW_SANDBOX,
  proxyDocument,
  sandboxFallbackHeaders,
  viewAllow,
  viewDocument,
} from './sandbox/documents.ts';
export type { ProxyDocumentOptions, SandboxDocument, ViewDocumentOptions } from './sandbox/documents.ts';
export { resolveViewResource } from './view-resource.ts';
export type { ResolveViewOptions, ViewResolution, ViewResource } from './view-resource.ts';
export type { SandboxUrl } from './sandbox/sandbox-place.ts';
export type { ViewConnection } from './view-connection.ts';
