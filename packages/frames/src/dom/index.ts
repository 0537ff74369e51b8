export type { FrameHost, FrameSession } from './frame-session.ts';
export { mountFrame } from './mount-frame.ts';
export type { FrameState, MountFrameOptions, MountedFrame } from './mount-frame.ts';
