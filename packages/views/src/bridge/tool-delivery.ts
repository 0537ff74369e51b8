import { UI_METHODS } from '@portico/spec';
import type { CallToolResult } from '@portico/spec';

type Arguments = Readonly<Record<string, unknown>>;
type Send = (method: string, params: Readonly<Record<string, unknown>>) => void;

/**
 * The story of one tool call, told to a view in its order whatever the order of the telling (P9 to
 * P11): partial inputs, then the input once, then one end. Nothing before the view is ready; a view
 * that loads again hears it from the start.
 */
export interface ToolDelivery {
  partialInput(input: Arguments): void;
  input(input: Arguments): void;
  result(result: CallToolResult): void;
  /** Another input for the same view: told anew, whatever was told before. */
  replaceInput(input: Arguments): void;
  /** Another result, told after the input. */
  replaceResult(result: CallToolResult): void;
  cancelled(reason: string | undefined): void;
  /** The view is ready. */
  open(): void;
  /** The view has begun to load again. */
  reset(): void;
}

interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const inputTold = (args: Arguments): Told => ({ method: UI_METHODS.toolInput, params: { arguments: args } });
const resultTold = (result: CallToolResult): Told => ({
  method: UI_METHODS.toolResult,
  params: { ...result },
});

export function createToolDelivery(send: Send): ToolDelivery {
  let open = false;
  let partial: Told | undefined;
  let input: Told | undefined;
  let end: Told | undefined;
  let inputSent = false;
  let endSent = false;

  const flush = (): void => {
    if (!open) return;
    if (input !== undefined && !inputSent) {
      inputSent = true;
      send(input.method, input.params);
    }
    // A cancelled call may never have had a whole input.
    const mayEnd = inputSent || end?.method === UI_METHODS.toolCancelled;
    if (end !== undefined && !endSent && mayEnd) {
      endSent = true;
      send(end.method, end.params);
    }
  };
  const finish = (told: Told): void => {
    end ??= told;
    flush();
  };
  return {
    partialInput(args) {
      if (input !== undefined || end !== undefined) return;
      partial = { method: UI_METHODS.toolInputPartial, params: { arguments: args } };
      if (open) send(partial.method, partial.params);
    },
    input(args) {
      if (input !== undefined || end?.method === UI_METHODS.toolCancelled) return;
      input = inputTold(args);
      flush();
    },
    result: (result) => finish(resultTold(result)),
    replaceInput(args) {
      input = inputTold(args);
      inputSent = false;
      flush();
    },
    replaceResult(result) {
      end = resultTold(result);
      endSent = false;
      flush();
    },
    cancelled: (reason) =>
      finish({ method: UI_METHODS.toolCancelled, params: reason === undefined ? {} : { reason } }),
    open() {
      open = true;
      if (partial !== undefined && input === undefined && end === undefined)
        send(partial.method, partial.params);
      flush();
    },
    reset() {
      open = false;
      inputSent = false;
      endSent = false;
    },
  };
}
