import { connectorSchema } from '@portico/api';
import { z } from 'zod';
import type { HostStatus } from '../host-options.ts';
import type { ResealReport } from '../ports/secrets.ts';

/** Requests that commands make of a running host. */
export const CONTROL_ROUTES: {
  readonly launchLink: 'POST /launch-link';
  readonly status: 'GET /status';
  readonly publish: 'POST /publish';
  readonly rotateKey: 'POST /rotate-key';
} = {
  launchLink: 'POST /launch-link',
  status: 'GET /status',
  publish: 'POST /publish',
  rotateKey: 'POST /rotate-key',
};

/** Header of every answer: the version of the host that gave it. */
export const VERSION_HEADER = 'portico-version';

/** Largest request or answer: a page of 10 MB with every byte escaped in JSON fits; in bytes. */
export const MAX_CONTROL_BYTES: number = 64 * 1024 * 1024;

export const launchLinkSchema: z.ZodType<{ readonly url: string }> = z.object({ url: z.url() });

export const resealReportSchema: z.ZodType<ResealReport> = z.object({
  renewed: z.number(),
  unreadable: z.number(),
});

export const hostStatusSchema: z.ZodType<HostStatus> = z.object({
  version: z.string(),
  port: z.number(),
  origin: z.string(),
  connectors: z.array(connectorSchema),
  runningTurns: z.number(),
});
