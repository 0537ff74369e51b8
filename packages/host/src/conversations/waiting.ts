import type { Item, ToolCall } from '@portico/api';

/** Whether an item is a call that only the person can let go on. */
export function waitsForPerson(item: Item): item is ToolCall {
  return (
    item.type === 'tool_call' && (item.status === 'waiting_approval' || item.status === 'waiting_sign_in')
  );
}
