import type { ToolCall } from '@portico/api';

/** Every box of a call gets the call as it stands and where it is. */
export interface CallCardProps {
  readonly conversationId: string;
  readonly call: ToolCall;
}
