import type { ApprovalDecision, ToolCall } from '@portico/api';

/** Calls of running turns that wait for the person. */
export interface Approvals {
  /** Settles with the decision, or with undefined when the signal fires first. */
  wait(callId: string, signal: AbortSignal): Promise<ApprovalDecision | undefined>;
  isWaiting(callId: string): boolean;
  /** Whether the call was waiting. */
  decide(callId: string, decision: ApprovalDecision): boolean;
}

export function createApprovals(): Approvals {
  const waiting = new Map<string, (decision: ApprovalDecision) => void>();
  return {
    async wait(callId, signal) {
      if (signal.aborted) return undefined;
      return await new Promise((resolve) => {
        const end = (decision: ApprovalDecision | undefined): void => {
          waiting.delete(callId);
          signal.removeEventListener('abort', onAbort);
          resolve(decision);
        };
        const onAbort = (): void => end(undefined);
        signal.addEventListener('abort', onAbort);
        waiting.set(callId, end);
      });
    },
    isWaiting: (callId) => waiting.has(callId),
    decide(callId, decision) {
      const end = waiting.get(callId);
      end?.(decision);
      return end !== undefined;
    },
  };
}

/** The call as it is once the person has answered. */
export function withDecision(call: ToolCall, { decision }: ApprovalDecision, nowMs: number): ToolCall {
  return decision === 'allow'
    ? { ...call, status: 'running' }
    : { ...call, status: 'denied', endedAtMs: nowMs };
}
