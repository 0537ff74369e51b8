import { createHash } from 'node:crypto';
import type { Artifact, Consent, HostEvent, Publish, PublishResult } from '@portico/api';
import { ApiRefusal } from '../api-refusal.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { ArtifactRecord, ArtifactStore, ConsentStore } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { artifactView, serversOf } from './grants.ts';
import { readPage } from './read-page.ts';
import type { PageReading } from './read-page.ts';

export interface ArtifactServiceOptions {
  readonly artifacts: ArtifactStore;
  readonly consents: ConsentStore;
  readonly clock: Clock;
  publish(event: HostEvent): void;
  /** Address of an artifact in the console. */
  addressOf(artifactId: string): string;
}

export interface ArtifactService {
  list(): Promise<Artifact[]>;
  /** @throws ApiRefusal not_found */
  record(id: string): Promise<ArtifactRecord>;
  /**
   * Publishes a page, or the next version of one; the same content again changes nothing.
   * @throws ApiRefusal too_large, invalid_page, invalid_manifest, not_found
   */
  publish(page: Publish, options?: { readonly demo?: boolean }): Promise<PublishResult>;
  remove(id: string): Promise<void>;
  /** @throws ApiRefusal bad_request for a connector that the page does not ask for */
  setConsent(id: string, consent: Consent): Promise<Artifact>;
}

export function createArtifactService(options: ArtifactServiceOptions): ArtifactService {
  const { artifacts, consents, clock } = options;
  const queue = createKeyedQueue();

  const record = async (id: string): Promise<ArtifactRecord> => {
    const found = await artifacts.get(id);
    if (found === undefined) throw new ApiRefusal('not_found', 'There is no such artifact.');
    return found;
  };
  const view = async (found: ArtifactRecord): Promise<Artifact> =>
    artifactView(found, await consents.list(found.id));
  const announce = async (found: ArtifactRecord): Promise<Artifact> => {
    const artifact = await view(found);
    options.publish({ type: 'artifact.changed', artifact });
    return artifact;
  };
  /** The artifact that has this very content already, as the one to be changed or as any. */
  const alreadyThere = async (page: Publish, contentHash: string): Promise<ArtifactRecord | undefined> => {
    if (page.artifactId === undefined) {
      return (await artifacts.list()).find((candidate) => candidate.contentHash === contentHash);
    }
    const previous = await record(page.artifactId);
    return previous.contentHash === contentHash ? previous : undefined;
  };
  const publish = async (page: Publish, demo: boolean): Promise<PublishResult> => {
    const reading = readPage(page);
    const contentHash = hashOf([reading.html, reading.manifest, reading.title]);
    const answer = (artifact: Artifact, created: boolean): PublishResult => {
      return { artifact, created, address: options.addressOf(artifact.id), warnings: reading.warnings };
    };
    const same = await alreadyThere(page, contentHash);
    if (same !== undefined) return answer(await view(same), false);
    const previous = page.artifactId === undefined ? undefined : await record(page.artifactId);
    const next = nextVersion(previous, { ...reading, contentHash, demo, nowMs: clock.now() });
    await artifacts.addVersion(next, reading.html);
    return answer(await announce(next), true);
  };

  return {
    list: async () => await Promise.all((await artifacts.list()).map(view)),
    record,
    // One at a time, so that two equal pages at once make one artifact.
    publish: (page, { demo = false } = {}) => queue.run('publish', () => publish(page, demo)),
    async remove(id) {
      await record(id);
      await artifacts.remove(id);
      options.publish({ type: 'artifact.removed', artifactId: id });
    },
    setConsent: (id, { server, decision }) =>
      queue.run(id, async () => {
        const found = await record(id);
        const asked = serversOf(found).find((candidate) => candidate.name === server);
        if (asked === undefined)
          throw new ApiRefusal('bad_request', `The page does not ask for "${server}".`);
        if (decision === 'ask') await consents.remove(id, server);
        else {
          const decidedAtMs = clock.now();
          await consents.put({ artifactId: id, server, decision, tools: asked.tools, decidedAtMs });
        }
        return await announce(found);
      }),
  };
}

interface VersionContent extends PageReading {
  readonly contentHash: string;
  readonly demo: boolean;
  readonly nowMs: number;
}

function nextVersion(previous: ArtifactRecord | undefined, content: VersionContent): ArtifactRecord {
  return {
    id: previous?.id ?? newId('artifact'),
    title: content.title,
    version: (previous?.version ?? 0) + 1,
    contentHash: content.contentHash,
    manifest: content.manifest,
    demo: previous?.demo ?? content.demo,
    createdAtMs: previous?.createdAtMs ?? content.nowMs,
    updatedAtMs: content.nowMs,
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
