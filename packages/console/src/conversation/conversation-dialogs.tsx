import type { Conversation } from '@portico/api';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { TextField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { conversationTitle } from './conversation-title.ts';

interface ConversationDialogProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

export function RenameConversationDialog({ conversation, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const [title, setTitle] = useState(conversation.title);
  const action = useAction();
  const save = async (): Promise<void> => {
    if (await action.run(() => api.renameConversation(conversation.id, title.trim()))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('conversation.renameTitle')}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={title.trim() === ''}
            onClick={() => void save()}
          >
            {t('general.save')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() !== '') void save();
        }}
        className="flex flex-col gap-4"
      >
        <TextField
          label={t('conversation.title')}
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.target.value)}
        />
        <ActionError error={action.error} />
      </form>
    </Dialog>
  );
}

export function DeleteConversationDialog({ conversation, onClose }: ConversationDialogProps) {
  const { t } = useTranslation();
  const { api, drafts, announcer } = useConsole();
  const navigate = useNavigate();
  const { conversationId } = useParams({ strict: false });
  const remove = async (): Promise<void> => {
    try {
      await api.removeConversation(conversation.id);
      drafts.write(conversation.id, '');
      if (conversationId === conversation.id) await navigate({ to: '/' });
    } catch {
      announcer.say(t('conversation.deleteFailed'), 'assertive');
    }
  };
  return (
    <ConfirmDialog
      open
      title={t('conversation.deleteTitle', { title: conversationTitle(t, conversation) })}
      description={t('conversation.deleteHint')}
      confirmLabel={t('conversation.delete')}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
