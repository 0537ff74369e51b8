import { z } from 'zod';

/** Every refusal the host can give to a page, with its HTTP status. */
export const API_ERRORS = {
  bad_request: { status: 400 },
  not_json: { status: 415 },
  too_large: { status: 413 },
  no_session: { status: 401 },
  forbidden_host: { status: 403 },
  forbidden_origin: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  conflict: { status: 409 },
  needs_approval: { status: 409 },
  connector_not_ready: { status: 409 },
  call_not_waiting: { status: 409 },
  turn_running: { status: 409 },
  no_model: { status: 409 },
  invalid_page: { status: 422 },
  invalid_manifest: { status: 422 },
  invalid_arguments: { status: 422 },
  not_allowed: { status: 403 },
  upstream_failed: { status: 502 },
  internal: { status: 500 },
} as const satisfies Record<string, { status: number }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

export const apiErrorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** Which field was wrong, and how, as `path: reason`. */
    issues: z.array(z.string()).optional(),
  }),
});

export type ApiErrorBody = z.infer<typeof apiErrorSchema>;
