import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { useCallback } from 'react';

/** What a value is for: an argument of a prompt, or a variable of a template. */
export type CompletionRef = Parameters<McpServer['complete']>[0]['ref'];

/** Suggestions of the server for one value, given the others. Never rejects. */
export type Suggest = (
  name: string,
  value: string,
  others: Readonly<Record<string, string>>,
) => Promise<readonly string[]>;

/** Suggestions shown at once. */
const MAX_SHOWN = 50;

const completeOf = (server: McpServer | undefined): McpServer['complete'] | undefined =>
  server?.state === 'ready' && server.capabilities?.['completions'] !== undefined
    ? server.complete
    : undefined;

/** @returns nothing when the server completes nothing */
export function useCompletion(connectorId: string, ref: CompletionRef): Suggest | undefined {
  const complete = useMcpServer(connectorId, completeOf);
  const key = JSON.stringify(ref);
  const suggest = useCallback<Suggest>(
    // oxlint-disable-next-line max-params -- reads as the request does
    async (name, value, others) => {
      const known = Object.entries(others).filter(([other, text]) => other !== name && text !== '');
      try {
        const params = {
          ref: JSON.parse(key) as CompletionRef,
          argument: { name, value },
          ...(known.length === 0 ? {} : { context: { arguments: Object.fromEntries(known) } }),
        };
        const result = await complete?.(params);
        return result?.completion.values.slice(0, MAX_SHOWN) ?? [];
      } catch {
        // A suggestion is an offer: what went wrong is among the messages.
        return [];
      }
    },
    [complete, key],
  );
  return complete === undefined ? undefined : suggest;
}
