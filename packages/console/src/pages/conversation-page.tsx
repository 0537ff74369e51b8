import type { Conversation, Item } from '@portico/api';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Ellipsis, MessageSquareDashed, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallDetails } from '../conversation/call-details.tsx';
import { Composer } from '../conversation/composer.tsx';
import { conversationTitle } from '../conversation/conversation-title.ts';
import { DeleteConversationDialog, RenameConversationDialog } from '../conversation/conversation-dialogs.tsx';
import { ToolShelf } from '../conversation/tool-shelf.tsx';
import { Transcript } from '../conversation/transcript.tsx';
import { useSpeakTranscript } from '../conversation/use-speak-transcript.ts';
import { Page } from '../shell/page.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { useConsole, useHost, useTranscript } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { EmptyState, Failure, Loading } from '../ui/states.tsx';
import { MissingPage } from './missing-page.tsx';

export function ConversationPage() {
  const { conversationId = '' } = useParams({ strict: false });
  const conversation = useHost((state) => state.conversations[conversationId]);
  const transcript = useTranscript(conversationId);
  if (transcript?.status === 'missing') return <MissingPage />;
  if (conversation === undefined)
    return transcript === undefined || transcript.status === 'loading' ? <OpeningPage /> : <MissingPage />;
  return <KnownConversation key={conversationId} conversation={conversation} />;
}

function OpeningPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('conversation.opening')}>
      <Loading />
    </Page>
  );
}

function KnownConversation({ conversation }: { readonly conversation: Conversation }) {
  const { t } = useTranslation();
  const { host } = useConsole();
  const { itemId } = useParams({ strict: false });
  const transcript = useTranscript(conversation.id);
  const [tool, setTool] = useState<ListedTool>();
  useSpeakTranscript(transcript?.status === 'ready' ? transcript.items : undefined);
  const items = transcript?.items ?? [];
  const loading = transcript === undefined || (transcript.status === 'loading' && items.length === 0);
  return (
    <Page
      title={conversationTitle(t, conversation)}
      layout="fill"
      actions={<ConversationMenu conversation={conversation} />}
      panel={<DetailsPanel conversationId={conversation.id} items={items} />}
    >
      {transcript?.status === 'failed' ? (
        <div className="mx-auto w-full max-w-3xl flex-1 p-6">
          <Failure
            title={t('conversation.loadFailed')}
            message={transcript.problem}
            onRetry={() => void host.openConversation(conversation.id, { again: true })}
          />
        </div>
      ) : loading ? (
        <div className="flex-1">
          <Loading />
        </div>
      ) : (
        <Transcript
          conversationId={conversation.id}
          items={items}
          idle={conversation.status !== 'running'}
          selectedId={itemId}
          empty={<EmptyConversation onTool={setTool} />}
        />
      )}
      <div className="pb-3 md:pb-5">
        <div className="mx-auto max-w-3xl px-3 md:px-8">
          <Composer
            conversation={conversation}
            tool={tool}
            onTool={setTool}
            onStarted={(at, item) => host.addItem(at, item)}
          />
        </div>
      </div>
    </Page>
  );
}

function EmptyConversation({ onTool }: { readonly onTool: (tool: ListedTool) => void }) {
  const { t } = useTranslation();
  const configured = useHost((state) => state.model.configured);
  return (
    <>
      <EmptyState
        icon={MessageSquareDashed}
        title={configured ? t('conversation.empty') : t('conversation.emptyDirect')}
      >
        {configured ? t('conversation.emptyHint') : t('conversation.emptyDirectHint')}
      </EmptyState>
      <ToolShelf onTool={onTool} />
    </>
  );
}

function ConversationMenu({ conversation }: { readonly conversation: Conversation }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Menu
        items={[
          { label: t('conversation.rename'), icon: Pencil, onSelect: () => setDialog('rename') },
          {
            label: t('conversation.delete'),
            icon: Trash2,
            danger: true,
            onSelect: () => setDialog('delete'),
          },
        ]}
      >
        <IconButton label={t('conversation.actions')} icon={Ellipsis} />
      </Menu>
      {dialog === 'rename' ? <RenameConversationDialog conversation={conversation} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteConversationDialog conversation={conversation} onClose={close} /> : null}
    </>
  );
}

function DetailsPanel({
  conversationId,
  items,
}: {
  readonly conversationId: string;
  readonly items: readonly Item[];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { itemId } = useParams({ strict: false });
  const { details } = useSearch({ strict: false });
  const item = items.find(({ id }) => id === itemId);
  if (details !== true || item?.type !== 'tool_call') return null;
  const close = (): void =>
    void navigate({ to: '/c/$conversationId/$itemId', params: { conversationId, itemId: item.id } });
  return (
    <SidePanel title={t('details.title', { tool: item.title ?? item.tool })} onClose={close}>
      <CallDetails call={item} />
    </SidePanel>
  );
}
