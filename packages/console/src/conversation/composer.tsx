import type { Conversation, Item } from '@portico/api';
import { ArrowUp, Square } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallableTools, useConsole, useHost } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { useListKeys } from '../ui/use-list-keys.ts';
import { ToolForm } from './tool-form.tsx';
import { ToolOptions } from './tool-options.tsx';
import { searchTools } from './tool-search.ts';

export interface ComposerProps {
  /** Undefined before the first message: then a conversation is made with it. */
  readonly conversation: Conversation | undefined;
  readonly tool: ListedTool | undefined;
  readonly onTool: (tool: ListedTool | undefined) => void;
  readonly onStarted: (conversationId: string, item: Item) => void;
}

/** The message box. Without a model it launches tools; with one it talks, and `/` launches tools. */
export function Composer({ conversation, tool, onTool, onStarted }: ComposerProps) {
  const conversationId = useConversationId(conversation);
  return (
    <div className="rounded-2xl border border-line-strong/45 bg-raised shadow-lift transition-colors focus-within:border-line-strong">
      {tool === undefined ? (
        <MessageBox conversation={conversation} conversationId={conversationId} onTool={onTool} onStarted={onStarted} />
      ) : (
        <ToolForm
          key={`${tool.connector.id} ${tool.tool.name}`}
          listed={tool}
          conversationId={conversationId}
          onClose={() => onTool(undefined)}
          onStarted={(at, call) => {
            onTool(undefined);
            onStarted(at, call);
          }}
        />
      )}
    </div>
  );
}

function useConversationId(conversation: Conversation | undefined): () => Promise<string> {
  const { api, host } = useConsole();
  return async () => {
    if (conversation !== undefined) return conversation.id;
    const created = await api.createConversation();
    host.addConversation(created);
    return created.id;
  };
}

interface MessageBoxProps extends Omit<ComposerProps, 'tool'> {
  readonly conversationId: () => Promise<string>;
}

function MessageBox({ conversation, conversationId, onTool, onStarted }: MessageBoxProps) {
  const { t } = useTranslation();
  const { api, newId } = useConsole();
  const model = useHost((state) => state.model);
  const id = useId();
  const [text, setText] = useDraft(conversation?.id ?? 'new');
  const [open, setOpen] = useState(false);
  const action = useAction();
  const tools = useCallableTools();
  const launching = !model.configured || text.startsWith('/');
  const found = useMemo(() => (launching ? searchTools(tools, text) : []), [launching, tools, text]);
  const choose = (chosen: ListedTool | undefined): void => {
    if (chosen === undefined) return;
    setText('');
    onTool(chosen);
  };
  const keys = useListKeys(found.length, (index) => choose(found[index]));
  const listOpen = launching && open && found.length > 0;
  const send = async (): Promise<void> => {
    const message = text.trim();
    if (message === '' || launching) return;
    await action.run(async () => {
      const at = await conversationId();
      const item = await api.sendMessage(at, message, newId());
      setText('');
      onStarted(at, item);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (launching) {
      if (event.key === 'Escape') setOpen(false);
      else if (event.key.length === 1 || event.key.startsWith('Arrow')) setOpen(true);
      if (listOpen) keys.onKeyDown(event);
      else if (event.key === 'Enter') event.preventDefault();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <div className="relative">
      {listOpen ? (
        <div className="absolute inset-x-0 bottom-full z-20 mb-2">
          <ToolOptions id={`${id}-list`} tools={found} keys={keys} onChoose={choose} />
        </div>
      ) : null}
      <textarea
        data-composer
        dir="auto"
        rows={1}
        value={text}
        aria-label={model.configured ? t('composer.message') : t('composer.launcher')}
        placeholder={placeholderKey(t, model.configured, tools.length)}
        {...(launching
          ? { role: 'combobox', 'aria-expanded': listOpen, 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list' as const }
          : {})}
        {...(listOpen ? { 'aria-activedescendant': `${id}-list-${keys.active}` } : {})}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          keys.reset();
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="block max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base outline-none [field-sizing:content] narrow:text-[1rem]"
      />
      {launching && text !== '' && found.length === 0 ? (
        <p role="status" className="px-4 text-xs text-ink-faint">
          {t('composer.noTool')}
        </p>
      ) : null}
      <div className="px-4 empty:hidden">
        <ActionError error={action.error} />
      </div>
      <ComposerFoot conversation={conversation} canSend={!launching && text.trim() !== ''} busy={action.busy} onSend={() => void send()} />
    </div>
  );
}

function placeholderKey(t: ReturnType<typeof useTranslation>['t'], withModel: boolean, toolCount: number): string {
  if (withModel) return t('composer.placeholder');
  return toolCount === 0 ? t('composer.placeholderNoTools') : t('composer.placeholderDirect');
}

interface ComposerFootProps {
  readonly conversation: Conversation | undefined;
  readonly canSend: boolean;
  readonly busy: boolean;
  readonly onSend: () => void;
}

const ROUND = 'grid size-9 shrink-0 place-items-center rounded-full transition-colors narrow:size-11';

function ComposerFoot({ conversation, canSend, busy, onSend }: ComposerFootProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const model = useHost((state) => state.model);
  const stop = useAction();
  const running = conversation?.status === 'running';
  return (
    <div className="flex items-center gap-2 py-1.5 ps-4 pe-2">
      <p className="min-w-0 flex-1 truncate text-xs text-ink-faint">
        {model.configured ? (model.model ?? t('shell.modelConfigured')) : t('composer.directMode')}
      </p>
      {running && conversation !== undefined ? (
        <button
          type="button"
          aria-label={t('composer.stop')}
          title={t('composer.stop')}
          aria-disabled={stop.busy}
          onClick={() => void stop.run(() => api.stop(conversation.id))}
          className={`${ROUND} bg-ink text-surface hover:bg-ink-soft`}
        >
          <Square aria-hidden className="size-3.5" fill="currentColor" />
        </button>
      ) : null}
      {model.configured && !running ? (
        <button
          type="button"
          aria-label={t('composer.send')}
          title={t('composer.send')}
          disabled={!canSend || busy}
          onClick={onSend}
          className={`${ROUND} bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-ink-faint`}
        >
          <ArrowUp aria-hidden className="size-4.5" strokeWidth={2.2} />
        </button>
      ) : null}
    </div>
  );
}

/** Unsent text that stays with its conversation. */
function useDraft(key: string): readonly [string, (text: string) => void] {
  const { drafts } = useConsole();
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) }));
  const text = state.key === key ? state.text : drafts.read(key);
  const write = (next: string): void => {
    drafts.write(key, next);
    setState({ key, text: next });
  };
  return [text, write];
}
