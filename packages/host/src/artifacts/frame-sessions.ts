import { readFile } from 'node:fs/promises';
import type { FrameCall, FrameSession, OpenFrame as OpenFrameRequest } from '@portico/api';
import { frameHeaders, injectKernel } from '@portico/frames';
import { ApiRefusal } from '../api-refusal.ts';
import { sandboxOrigin } from '../http/host-gate.ts';
import type { ArtifactRecord, ArtifactStore, ConsentStore } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { OPAQUE_LABEL, OPAQUE_PATH } from '../sandbox/sandbox-app.ts';
import { MAX_DOCUMENTS } from '../sandbox/sandbox-documents.ts';
import type { SandboxDocuments } from '../sandbox/sandbox-documents.ts';
import type { SandboxLabels } from '../sandbox/sandbox-labels.ts';
import type { ArtifactService } from './artifact-service.ts';
import type { FrameAnswer, FrameCalls, FrameServer } from './frame-calls.ts';
import { artifactView } from './grants.ts';

export interface FrameSessionOptions {
  readonly service: ArtifactService;
  readonly artifacts: ArtifactStore;
  readonly consents: ConsentStore;
  readonly documents: SandboxDocuments;
  readonly labels: SandboxLabels;
  readonly calls: FrameCalls;
  readonly kernelBundleFile: string;
  readonly port: () => number;
}

/** Rendered instances of artifacts, from opening to closing. */
export interface FrameSessions {
  /**
   * Opens the newest version of an artifact on its own origin.
   * @param shellOrigin origin of the page that will embed it; the only one the frame speaks to
   */
  open(frame: OpenFrameRequest, shellOrigin: string): Promise<FrameSession>;
  close(frameId: string): void;
  /** @throws ApiRefusal not_found for a frame that is not open */
  call(frameId: string, call: FrameCall, signal: AbortSignal): Promise<FrameAnswer>;
  /** @throws ApiRefusal not_found for a frame that is not open */
  tools(frameId: string): Promise<FrameServer[]>;
}

interface OpenFrame {
  readonly token: string;
  /** The version that is shown: what it may call was published with it. */
  readonly record: ArtifactRecord;
}

export function createFrameSessions(options: FrameSessionOptions): FrameSessions {
  const frames = new Map<string, OpenFrame>();
  const frameOf = (frameId: string): OpenFrame => {
    const frame = frames.get(frameId);
    if (frame === undefined) throw new ApiRefusal('not_found', 'This frame is not open.');
    return frame;
  };
  const close = (frameId: string): void => {
    const frame = frames.get(frameId);
    if (frame === undefined) return;
    frames.delete(frameId);
    options.documents.remove(frame.token);
  };
  const dropOldest = (): void => {
    for (const frameId of frames.keys()) {
      if (frames.size <= MAX_DOCUMENTS / 2) return;
      close(frameId);
    }
  };

  return {
    async open({ artifactId, opaque = false }, shellOrigin) {
      const record = await options.service.record(artifactId);
      const page = await options.artifacts.page(record.id, record.version);
      if (page === undefined) throw new ApiRefusal('not_found', 'The page of this artifact is gone.');
      const kernel = await readFile(options.kernelBundleFile, 'utf8');
      const body = injectKernel(page, kernel, { shellOrigin, mcp: record.manifest.mcp !== undefined });
      const headers = frameHeaders({ shellOrigin, opaque });
      const label = opaque ? OPAQUE_LABEL : options.labels.labelOf('artifact', record.id);
      const token = options.documents.add({ kind: 'frame', label, parts: { '': () => ({ headers, body }) } });
      const frameId = newId('frame');
      frames.set(frameId, { token, record });
      dropOldest();
      const origin = sandboxOrigin(label, options.port());
      const artifact = artifactView(record, await options.consents.list(record.id));
      return opaque
        ? { frameId, url: `${shellOrigin}${OPAQUE_PATH}frame/${token}`, origin: 'opaque', artifact }
        : { frameId, url: `${origin}/frame/${token}`, origin, artifact };
    },
    close,
    call: async (frameId, call, signal) => await options.calls.call(frameOf(frameId).record, call, signal),
    tools: async (frameId) => await options.calls.tools(frameOf(frameId).record),
  };
}
