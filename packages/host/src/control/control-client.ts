import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { apiErrorSchema, publishResultSchema } from '@portico/api';
import type { Publish, PublishResult } from '@portico/api';
import type { z } from 'zod';
import { HostError } from '../errors.ts';
import type { HostStatus } from '../host-options.ts';
import type { ResealReport } from '../ports/secrets.ts';
import { atShortPath } from './control-path.ts';
import {
  CONTROL_ROUTES,
  MAX_CONTROL_BYTES,
  VERSION_HEADER,
  hostStatusSchema,
  launchLinkSchema,
  resealReportSchema,
} from './control-protocol.ts';

/** How long a silent host is waited for: 10 s, in milliseconds. */
const SILENCE_LIMIT_MS = 10_000;

/**
 * Commands to the host that runs on a data folder. Each throws HostError `control_unreachable` when
 * none answers and `control_refused`, with the host's own code and issues, when it refuses.
 */
export interface ControlClient {
  launchLink(): Promise<string>;
  status(): Promise<HostStatus>;
  publish(page: Publish): Promise<PublishResult>;
  rotateKey(): Promise<ResealReport>;
}

export interface ControlClientOptions {
  /** As `controlPath` answers it. */
  readonly path: string;
  /** Told the version of the host with every answer; must not throw. */
  readonly onVersion?: (version: string) => void;
}

export function controlClient(options: ControlClientOptions): ControlClient {
  return {
    launchLink: async () => (await ask(options, CONTROL_ROUTES.launchLink, { schema: launchLinkSchema })).url,
    status: () => ask(options, CONTROL_ROUTES.status, { schema: hostStatusSchema }),
    publish: (page) => ask(options, CONTROL_ROUTES.publish, { schema: publishResultSchema, body: page }),
    rotateKey: () => ask(options, CONTROL_ROUTES.rotateKey, { schema: resealReportSchema }),
  };
}

interface Question<T> {
  readonly schema: z.ZodType<T>;
  readonly body?: unknown;
}

async function ask<T>(
  options: ControlClientOptions,
  route: string,
  { schema, body }: Question<T>,
): Promise<T> {
  const { status, text, version } = await exchange(options.path, route, JSON.stringify(body ?? {}));
  if (version !== undefined) options.onVersion?.(version);
  const value = parseJson(text);
  if (status !== 200) throw refused(value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HostError('control_refused', {
    message: 'the running portico answered in a way that this version does not understand',
    data: { remedy: 'stop it and start it again with this version' },
    cause: parsed.error,
  });
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly version: string | undefined;
}

async function exchange(path: string, route: string, body: string): Promise<Answer> {
  const [method = 'GET', url = '/'] = route.split(' ');
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpRequest(
        {
          method,
          path: url,
          createConnection: () => atShortPath(path, (short) => connect({ path: short })),
          headers: { host: 'portico', 'content-type': 'application/json' },
        },
        resolve,
      );
      outgoing.setTimeout(SILENCE_LIMIT_MS, () => outgoing.destroy(new HostError('control_unreachable')));
      outgoing.on('error', reject);
      outgoing.end(method === 'GET' ? undefined : body);
    });
    const version = answer.headers[VERSION_HEADER];
    return {
      status: answer.statusCode ?? 0,
      text: await readText(answer),
      version: typeof version === 'string' ? version : undefined,
    };
  } catch (cause) {
    throw new HostError('control_unreachable', {
      message: `no running portico answers on ${path}`,
      data: { path, remedy: 'start one with: portico serve' },
      cause,
    });
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += (chunk as Buffer).length;
    if (size > MAX_CONTROL_BYTES) throw new HostError('control_unreachable');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refused(value: unknown): HostError {
  const parsed = apiErrorSchema.safeParse(value);
  if (!parsed.success) return new HostError('control_refused');
  const { code, message, issues } = parsed.data.error;
  return new HostError('control_refused', {
    message,
    data: { refusal: code, ...(issues === undefined ? {} : { issues }) },
  });
}
