'use client';
export { SessionView } from './session-view.tsx';
export type { SessionViewProps } from './session-view.tsx';
export type {
  AppTool,
  ModelContext,
  Refusal,
  ServerAnswer,
  ServerRequest,
  ViewHostHandlers,
  ViewInfo,
} from '@portico/views';
export type { MountedView, ViewCall, ViewSession, ViewState } from '@portico/views/dom';
