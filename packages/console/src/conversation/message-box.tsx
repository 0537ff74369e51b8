import type { Conversation, Item } from '@portico/api';
import type { TFunction } from 'i18next';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole, useHost } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { ComposerFoot } from './composer-foot.tsx';
import { ToolOptions } from './tool-options.tsx';
import { useToolLauncher } from './use-tool-launcher.ts';
import type { ToolLauncher } from './use-tool-launcher.ts';

export interface MessageBoxProps {
  readonly conversation: Conversation | undefined;
  readonly conversationId: () => Promise<string>;
  readonly onTool: (tool: ListedTool | undefined) => void;
  readonly onStarted: (conversationId: string, item: Item) => void;
}

/** The box to type into, with the tools that match above it. */
export function MessageBox({ conversation, conversationId, onTool, onStarted }: MessageBoxProps) {
  const { t } = useTranslation();
  const { api, newId } = useConsole();
  const id = useId();
  const [text, setText] = useDraft(conversation?.id ?? 'new');
  const action = useAction();
  const choose = (tool: ListedTool): void => {
    setText('');
    onTool(tool);
  };
  const launcher = useToolLauncher(text, choose);
  const message = launcher.launching ? '' : text.trim();
  const send = async (): Promise<void> => {
    if (message === '') return;
    await action.run(async () => {
      const at = await conversationId();
      const item = await api.sendMessage(at, message, newId());
      setText('');
      onStarted(at, item);
    });
  };
  return (
    <div className="relative">
      {launcher.listOpen ? (
        <div className="absolute inset-x-0 bottom-full z-20 mb-2">
          <ToolOptions id={id} tools={launcher.found} keys={launcher.keys} onChoose={choose} />
        </div>
      ) : null}
      <TypingArea id={id} text={text} launcher={launcher} onText={setText} onSend={() => void send()} />
      {launcher.launching && text !== '' && launcher.found.length === 0 ? (
        <p role="status" className="px-4 text-xs text-ink-faint">
          {t('composer.noTool')}
        </p>
      ) : null}
      <div className="px-4 empty:hidden">
        <ActionError error={action.error} />
      </div>
      <ComposerFoot
        conversation={conversation}
        canSend={message !== ''}
        busy={action.busy}
        onSend={() => void send()}
      />
    </div>
  );
}

interface TypingAreaProps {
  readonly id: string;
  readonly text: string;
  readonly launcher: ToolLauncher;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
}

function TypingArea({ id, text, launcher, onText, onSend }: TypingAreaProps) {
  const { t } = useTranslation();
  const configured = useHost((state) => state.model.configured);
  const { launching, listOpen, keys, setOpen } = launcher;
  const combobox = {
    role: 'combobox',
    'aria-expanded': listOpen,
    'aria-controls': id,
    'aria-autocomplete': 'list',
  } as const;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (launching) launcher.onKeyDown(event);
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      onSend();
    }
  };
  return (
    <textarea
      data-composer
      dir="auto"
      rows={1}
      value={text}
      aria-label={configured ? t('composer.message') : t('composer.launcher')}
      placeholder={placeholderOf(t, configured, launcher.toolCount)}
      {...(launching ? combobox : {})}
      {...(listOpen ? { 'aria-activedescendant': `${id}-${keys.active}` } : {})}
      onChange={(event) => {
        onText(event.target.value);
        setOpen(true);
        keys.reset();
      }}
      onClick={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={onKeyDown}
      className="block max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base outline-none [field-sizing:content] narrow:text-[1rem]"
    />
  );
}

function placeholderOf(t: TFunction, withModel: boolean, toolCount: number): string {
  if (withModel) return t('composer.placeholder');
  return toolCount === 0 ? t('composer.placeholderNoTools') : t('composer.placeholderDirect');
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
