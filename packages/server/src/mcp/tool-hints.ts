import type { ToolAnnotations } from '@portico/spec';

/** What a tool says of its effects, with nothing left open. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * The hints of a tool with the specification's defaults in the gaps: a tool that says nothing may
 * write, destroy, do more when called again, and reach out. Hints are the server's word, not a fact:
 * nothing in these packages depends on them.
 */
export function toolHints(annotations: ToolAnnotations = {}): ToolHints {
  const {
    readOnlyHint = false,
    destructiveHint = true,
    idempotentHint = false,
    openWorldHint = true,
  } = annotations;
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
}
