export { ArtifactFrame } from './artifact-frame.tsx';
export type { ArtifactFrameProps } from './artifact-frame.tsx';
export { useConnections } from './use-connections.ts';
export type { ObservableStore } from './use-connections.ts';
export { ViewRenderer } from './view-renderer.tsx';
export type { ViewRendererProps } from './view-renderer.tsx';
export type {
  AskViewer,
  ConsentDecision,
  FrameGateway,
  GatewayOutcome,
  ServerInfo,
} from '@portico/frames/broker';
export type { FrameSession, FrameState, MountedFrame } from '@portico/frames/dom';
export type {
  AppTool,
  ModelContext,
  Refusal,
  ServerAnswer,
  ServerRequest,
  ViewHostHandlers,
  ViewInfo,
} from '@portico/views';
export { PROFILES } from '@portico/views';
export type { MountedView, ViewCall, ViewSession, ViewState } from '@portico/views/dom';
