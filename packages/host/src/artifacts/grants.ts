import type { Artifact, Grant, ManifestServer } from '@portico/api';
import type { ArtifactRecord, ConsentRecord } from '../ports/stores.ts';

/** Connectors that a page asks for. */
export function serversOf(record: ArtifactRecord): readonly ManifestServer[] {
  return record.manifest.mcp?.servers ?? [];
}

/**
 * Where one connector of a page stands. An approval covers the tools that were published when it was
 * given: a page that publishes more asks again (F60).
 */
export function grantOf(server: ManifestServer, consents: readonly ConsentRecord[]): Grant {
  const consent = consents.find((candidate) => candidate.server === server.name);
  if (consent === undefined) return { server: server.name, state: 'ask' };
  const covered = server.tools.every((tool) => consent.tools.includes(tool));
  return { server: server.name, state: consent.decision === 'allow' && !covered ? 'ask' : consent.decision };
}

/** An artifact as pages see it. */
export function artifactView(record: ArtifactRecord, consents: readonly ConsentRecord[]): Artifact {
  const servers = serversOf(record);
  return {
    id: record.id,
    title: record.title,
    version: record.version,
    servers: servers.map(({ name, tools }) => ({ name, tools: [...tools] })),
    grants: servers.map((server) => grantOf(server, consents)),
    demo: record.demo,
    createdAtMs: record.createdAtMs,
    updatedAtMs: record.updatedAtMs,
  };
}
