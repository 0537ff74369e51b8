'use client';
export { ArtifactFrame } from './artifact-frame.tsx';
export type { ArtifactFrameProps } from './artifact-frame.tsx';
export type {
  AskViewer,
  ConsentDecision,
  FrameGateway,
  GatewayOutcome,
  ServerInfo,
} from '@portico/frames/broker';
export type { FrameSession, FrameState, MountedFrame } from '@portico/frames/dom';
