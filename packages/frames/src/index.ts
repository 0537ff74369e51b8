export { FRAMES_ERRORS, FramesError, MCP_ERRORS } from './errors.ts';
export type { FramesErrorCode, FramesErrorData, McpError, McpErrorCode } from './errors.ts';
export { FRAME_SANDBOX, frameHeaders } from './headers.ts';
export { injectKernel } from './inject-kernel.ts';
export type { KernelSetup } from './inject-kernel.ts';
export { MANIFEST_TYPE, readManifest } from './manifest.ts';
export type { ManifestIssue, ManifestReading } from './manifest.ts';
export type { Manifest, ManifestServer } from './manifest-shape.ts';
