export { mountView } from './mount-view.ts';
export type { MountViewOptions, MountedView, ViewState } from './mount-view.ts';
export { openView } from './open-view.ts';
export type { OpenViewOptions, OpenedView } from './open-view.ts';
export type { HeightBounds } from './view-frame.ts';
export type { ViewCall, ViewSession } from './view-session.ts';
export type { ViewCallbacks, ViewOrigin, ViewSettings } from './view-settings.ts';
