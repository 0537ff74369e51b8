import type { Conversation } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConversations } from '../state/console-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { DeleteConversationDialog, RenameConversationDialog } from '../conversation/conversation-dialogs.tsx';
import { conversationTitle } from '../conversation/conversation-title.ts';

export function ConversationList() {
  const { t } = useTranslation();
  const conversations = useConversations();
  const [dialog, setDialog] = useState<{ kind: 'rename' | 'delete'; conversation: Conversation }>();
  const close = (): void => setDialog(undefined);
  return (
    <div className="mt-4 flex min-h-0 flex-1 flex-col">
      <h2 className="px-5 pb-1.5 text-2xs font-medium tracking-wide text-ink-faint">
        {t('shell.conversations')}
      </h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-3">
        {conversations.length === 0 ? (
          <p className="px-2.5 py-1 text-xs text-ink-faint">{t('shell.noConversations')}</p>
        ) : (
          <ul className="flex flex-col gap-px">
            {conversations.map((conversation) => (
              <ConversationRow
                key={conversation.id}
                conversation={conversation}
                onRename={() => setDialog({ kind: 'rename', conversation })}
                onDelete={() => setDialog({ kind: 'delete', conversation })}
              />
            ))}
          </ul>
        )}
      </div>
      {dialog?.kind === 'rename' ? (
        <RenameConversationDialog conversation={dialog.conversation} onClose={close} />
      ) : null}
      {dialog?.kind === 'delete' ? (
        <DeleteConversationDialog conversation={dialog.conversation} onClose={close} />
      ) : null}
    </div>
  );
}

interface ConversationRowProps {
  readonly conversation: Conversation;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function ConversationRow({ conversation, onRename, onDelete }: ConversationRowProps) {
  const { t } = useTranslation();
  const title = conversationTitle(t, conversation);
  return (
    <li className="group relative flex items-center rounded-lg transition-colors hover:bg-hover has-[[aria-current]]:bg-pressed">
      <Link
        to="/c/$conversationId"
        params={{ conversationId: conversation.id }}
        className="control-height flex min-w-0 flex-1 items-center gap-2 rounded-lg ps-2.5 pe-2.5 text-sm text-ink-soft hover:text-ink aria-[current]:font-medium aria-[current]:text-ink"
        activeProps={{ 'aria-current': 'page' }}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate text-start">
          {title}
        </span>
        <ConversationMarks conversation={conversation} />
      </Link>
      <span className="me-0.5 hidden group-focus-within:block group-hover:block has-[[aria-expanded=true]]:block touch:block">
        <Menu
          items={[
            { label: t('conversation.rename'), icon: Pencil, onSelect: onRename },
            { label: t('conversation.delete'), icon: Trash2, danger: true, onSelect: onDelete },
          ]}
        >
          <IconButton label={t('shell.conversationActions', { title })} icon={Ellipsis} className="size-7" />
        </Menu>
      </span>
    </li>
  );
}

function ConversationMarks({ conversation }: { readonly conversation: Conversation }) {
  const { t } = useTranslation();
  const { waitingApprovals, status } = conversation;
  if (waitingApprovals > 0) {
    return (
      <span className="rounded-full bg-warn-soft px-1.5 text-2xs font-medium text-warn">
        <span aria-hidden>{waitingApprovals}</span>
        <span className="sr-only">{t('shell.waitingApprovals', { count: waitingApprovals })}</span>
      </span>
    );
  }
  if (status === 'running') {
    return (
      <span className="breathe me-1 size-2 shrink-0 rounded-full bg-accent">
        <span className="sr-only">{t('shell.running')}</span>
      </span>
    );
  }
  if (status === 'interrupted') {
    return (
      <span className="me-1 size-2 shrink-0 rounded-full border border-warn">
        <span className="sr-only">{t('shell.interrupted')}</span>
      </span>
    );
  }
  return null;
}
