import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact, Connector, FrameSession, SignInResult, ToolCall } from '@portico/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkToCallback } from '../../../../testing/authorization-server.ts';
import { startGuardedServer } from '../../../../testing/guarded-server.ts';
import type { GuardedServer } from '../../../../testing/guarded-server.ts';
import { startInProcessHost } from '../../../../testing/in-process-host.ts';
import type { InProcessHost } from '../../../../testing/in-process-host.ts';
import { startRotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import type { RotatingIssuer } from '../../../../testing/rotating-issuer.ts';
import { createSkippingClock } from '../../../../testing/skipping-clock.ts';
import type { SkippingClock } from '../../../../testing/skipping-clock.ts';

const LIFETIME_S = 300;
const HOURS = 8;

describe('a day of work with tokens of five minutes', () => {
  let folder: string;
  let clock: SkippingClock;
  let issuer: RotatingIssuer;
  let server: GuardedServer;
  let running: InProcessHost;
  let connectorId: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-renewal-'));
    clock = createSkippingClock();
    issuer = await startRotatingIssuer({ now: () => clock.now(), lifetimeSeconds: LIFETIME_S });
    server = await startGuardedServer(issuer);
    running = await startInProcessHost({ folder, clock });
    const transport = { kind: 'http', url: server.url, headers: {} };
    const added = await running.call<Connector>('POST', '/api/connectors', { name: 'Mail', transport });
    connectorId = added.id;
    await running.untilConnector(connectorId, 'needs_sign_in');
    const { headers } = await running.request('GET', `/sign-in/${connectorId}?mode=window`);
    const redirect = `http://127.0.0.1:${running.host.port}/oauth/callback`;
    const query = await walkToCallback(new URL(String(headers.location)), redirect);
    await running.call<SignInResult>('POST', '/api/sign-in/callback', { query: `?${query.toString()}` });
    await running.untilConnector(connectorId, 'ready');
  });
  afterEach(async () => {
    await running.close();
    await server.close();
    await issuer.close();
    rmSync(folder, { recursive: true });
  });

  const callIn = async (conversationId: string): Promise<ToolCall['status']> => {
    const body = { connectorId, tool: 'whoami', arguments: {} };
    const path = `/api/conversations/${conversationId}/calls`;
    const { id } = await running.call<ToolCall>('POST', path, body);
    for (;;) {
      const item = await running.stores.conversations.item(conversationId, id);
      if (item?.type === 'tool_call' && item.status !== 'running') return item.status;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const openFrame = async (): Promise<string> => {
    const manifest = { title: 'Page', mcp: { servers: [{ name: 'Mail', tools: ['whoami'] }] } };
    const html = `<script type="application/portico+json">${JSON.stringify(manifest)}</script>`;
    const { artifact } = await running.call<{ artifact: Artifact }>('POST', '/api/artifacts', {
      html,
      fileName: 'page.html',
    });
    await running.call('PUT', `/api/artifacts/${artifact.id}/consent`, { server: 'Mail', decision: 'allow' });
    const { frameId } = await running.call<FrameSession>('POST', '/api/frames', { artifactId: artifact.id });
    return frameId;
  };
  const callFrom = async (frameId: string): Promise<'done' | 'failed'> => {
    const body = { server: 'Mail', tool: 'whoami', input: {} };
    const answer = await running.call<{ ok: boolean }>('POST', `/api/frames/${frameId}/calls`, body);
    return answer.ok ? 'done' : 'failed';
  };

  it('K45 eight hours over conversations and frames take one renewal a lifetime, and nobody is asked', async () => {
    const conversations = await Promise.all([running.newConversation(), running.newConversation()]);
    const frameId = await openFrame();
    const lifetimes = (HOURS * 3_600) / LIFETIME_S;
    const failed: string[] = [];
    for (let step = 0; step < 2 * lifetimes; step++) {
      clock.skip((LIFETIME_S * 1_000) / 2);
      // All of them in the same moment, half of the times with a token that has just ended.
      const statuses = await Promise.all([...conversations.map(({ id }) => callIn(id)), callFrom(frameId)]);
      failed.push(...statuses.filter((status) => status !== 'done'));
    }
    expect(failed).toEqual([]);
    expect([issuer.renewals, issuer.attempts]).toEqual([lifetimes, lifetimes]);
    expect(issuer.log.filter((line) => line === 'authorized')).toHaveLength(1);
    // What was refused or had ended was never sent a second time.
    expect(issuer.log).not.toContain('refused refresh_token');
  }, 120_000);

  it('K45 renews before the end, and uses the token that is still good while that does not work', async () => {
    const { id } = await running.newConversation();
    clock.skip((LIFETIME_S - 31) * 1_000);
    expect([await callIn(id), issuer.attempts]).toEqual(['done', 0]);
    clock.skip(2_000);
    issuer.trouble.refresh = 'unavailable';
    expect([await callIn(id), issuer.attempts, issuer.renewals]).toEqual(['done', 1, 0]);
    issuer.trouble.refresh = undefined;
    expect([await callIn(id), issuer.renewals]).toEqual(['done', 1]);
    // The token of before was never refused.
    expect(new Set(server.seen.filter((header) => header !== undefined)).size).toBe(2);
  });
});
