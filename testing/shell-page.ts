// What browser tests load into the trusted page around views and frames, as `portico`.
import type { mountFrame } from '../packages/frames/src/dom/index.ts';
import type { mountView } from '../packages/views/src/dom/index.ts';

declare global {
  interface Window {
    portico: { readonly mountFrame: typeof mountFrame; readonly mountView: typeof mountView };
  }
}

export { mountFrame } from '../packages/frames/src/dom/index.ts';
export { mountView } from '../packages/views/src/dom/index.ts';
