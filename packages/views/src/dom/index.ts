export { mountView } from './mount-view.ts';
export type { MountViewOptions, MountedView, ViewState } from './mount-view.ts';
export type { HeightBounds } from './view-frame.ts';
export type { ViewCall, ViewSession } from './view-session.ts';
