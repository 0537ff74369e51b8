import { createHash } from 'node:crypto';
import { MAX_PAGE_BYTES } from '@portico/api';
import type { Artifact, Consent, HostEvent, Publish, PublishResult } from '@portico/api';
import { readManifest } from '@portico/frames';
import type { Manifest, ManifestIssue } from '@portico/frames';
import { ApiRefusal } from '../api-refusal.ts';
import { createKeyedQueue } from '../gateway/keyed-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { ArtifactRecord, ArtifactStore, ConsentStore } from '../ports/stores.ts';
import { newId } from '../random-ids.ts';
import { artifactView, serversOf } from './grants.ts';
import { htmlTitle } from './html-title.ts';

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
    const answer = async (artifact: Artifact, created: boolean): Promise<PublishResult> => ({
      artifact,
      created,
      address: options.addressOf(artifact.id),
      warnings: reading.warnings,
    });
    const same = await alreadyThere(page, contentHash);
    if (same !== undefined) return await answer(await view(same), false);
    const previous = page.artifactId === undefined ? undefined : await record(page.artifactId);
    const nowMs = clock.now();
    const next: ArtifactRecord = {
      id: previous?.id ?? newId('artifact'),
      title: reading.title,
      version: (previous?.version ?? 0) + 1,
      contentHash,
      manifest: reading.manifest,
      demo: previous?.demo ?? demo,
      createdAtMs: previous?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
    };
    await artifacts.addVersion(next, reading.html);
    return await answer(await announce(next), true);
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

interface PageReading {
  readonly html: string;
  readonly manifest: ArtifactRecord['manifest'];
  readonly title: string;
  readonly warnings: string[];
}

function readPage(page: Publish): PageReading {
  if (Buffer.byteLength(page.html) > MAX_PAGE_BYTES) {
    throw new ApiRefusal('too_large', 'The page is larger than 10 MB.');
  }
  const { html, manifest, issues } = readManifest(page.html, page.manifest);
  const errors = issues.filter((issue) => issue.level === 'error');
  if (errors.some((issue) => issue.code === 'not_html')) {
    throw new ApiRefusal('invalid_page', 'This is not an HTML page: it has not a single tag.');
  }
  if (errors.length > 0) {
    throw new ApiRefusal(
      'invalid_manifest',
      'The manifest of the page cannot be used.',
      errors.map(sentence),
    );
  }
  if (manifest.mcp?.servers.length === 0) {
    throw new ApiRefusal('invalid_manifest', 'The manifest asks for connectors but names none.');
  }
  return {
    html,
    manifest: plainManifest(manifest),
    title: page.title ?? manifest.title ?? htmlTitle(html) ?? 'Untitled page',
    warnings: issues.filter((issue) => issue.level === 'warning').map(sentence),
  };
}

function sentence(issue: ManifestIssue): string {
  const place = issue.source === 'page' ? 'page' : 'manifest file';
  return `${place}, line ${issue.line}: ${issue.message}`;
}

function plainManifest(manifest: Manifest): ArtifactRecord['manifest'] {
  const servers = manifest.mcp?.servers.map(({ name, tools }) => ({ name, tools: [...tools] }));
  return {
    ...(manifest.title === undefined ? {} : { title: manifest.title }),
    ...(servers === undefined ? {} : { mcp: { servers } }),
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
