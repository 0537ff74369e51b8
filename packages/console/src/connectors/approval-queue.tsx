import { useHost } from '../state/console-context.tsx';
import { ApproveCommandDialog } from './approve-command-dialog.tsx';

export interface ApprovalQueueProps {
  /** Connectors whose commands are to be shown, the first one now. */
  readonly queue: readonly string[];
  readonly onQueue: (queue: readonly string[]) => void;
}

/** Shows waiting commands one after the other. */
export function ApprovalQueue({ queue, onQueue }: ApprovalQueueProps) {
  const connectors = useHost((state) => state.connectors);
  const id = queue.find((candidate) => connectors[candidate]?.pendingApproval !== undefined);
  const connector = id === undefined ? undefined : connectors[id];
  if (connector?.pendingApproval === undefined) return null;
  const next = (): void => onQueue(queue.filter((candidate) => candidate !== connector.id));
  return (
    <ApproveCommandDialog
      key={connector.pendingApproval.hash}
      connector={connector}
      preview={connector.pendingApproval}
      onClose={next}
      onApproved={next}
    />
  );
}
