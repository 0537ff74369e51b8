'use client';
export { ViewRenderer } from './view-renderer.tsx';
export type { ViewRendererProps } from './view-renderer.tsx';
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
