import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useId, useMemo, useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { conversationTitle } from '../conversation/conversation-title.ts';
import {
  useArtifacts,
  useCallableTools,
  useConnectors,
  useConversations,
} from '../state/console-context.tsx';
import { useListKeys } from '../ui/use-list-keys.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { collectEntries, searchEntries } from './palette-entries.ts';
import type { PaletteEntry } from './palette-entries.ts';

export function CommandPalette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-shade" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="rise fixed inset-x-3 top-[12vh] z-50 mx-auto max-h-[70vh] max-w-xl overflow-hidden rounded-2xl border border-line bg-raised text-ink shadow-float outline-none"
        >
          <RadixDialog.Title className="sr-only">{t('palette.title')}</RadixDialog.Title>
          <Palette onClose={onClose} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const id = useId();
  const [query, setQuery] = useState('');
  const entries = usePaletteEntries();
  const found = useMemo(() => searchEntries(entries, query), [entries, query]);
  const go = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    router.history.push(entry.href);
  };
  const keys = useListKeys(found.length, (index) => go(found[index]));
  return (
    <div className="flex max-h-[70vh] flex-col">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4.5 text-ink-faint" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${keys.active}` : undefined}
          aria-label={t('palette.label')}
          placeholder={t('palette.placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            keys.reset();
          }}
          onKeyDown={(event: KeyboardEvent) => keys.onKeyDown(event)}
          className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={t('palette.results')}
        className="min-h-0 overflow-y-auto p-1.5"
      >
        {found.length === 0 ? (
          <p className="px-3 py-6 text-center text-sm text-ink-faint">{t('palette.none')}</p>
        ) : null}
        {found.map((entry, index) => (
          <PaletteOption
            key={entry.key}
            id={`${id}-${index}`}
            entry={entry}
            {...(index === keys.active ? { activeRef: keys.activeRef } : {})}
            onPoint={() => keys.setActive(index)}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
    </div>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  /** Given to the active one, which is kept in sight. */
  readonly activeRef?: Ref<HTMLDivElement>;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function PaletteOption({ id, entry, activeRef, onPoint, onChoose }: PaletteOptionProps) {
  const { t } = useTranslation();
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={activeRef !== undefined}
      ref={activeRef}
      onPointerMove={onPoint}
      onClick={onChoose}
      onKeyDown={undefined}
      className="control-height flex items-center gap-3 rounded-lg px-3 text-sm aria-selected:bg-hover"
    >
      <span dir="auto" className="min-w-0 truncate">
        {entry.label}
      </span>
      {entry.detail === undefined ? null : (
        <span className="min-w-0 truncate text-xs text-ink-faint">{entry.detail}</span>
      )}
      <span className="ms-auto shrink-0 text-2xs text-ink-faint">{t(`palette.group.${entry.group}`)}</span>
    </div>
  );
}

function usePaletteEntries(): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const conversations = useConversations();
  const connectors = useConnectors();
  const artifacts = useArtifacts();
  const tools = useCallableTools();
  return useMemo(() => {
    const pages: readonly PaletteEntry[] = [
      { key: 'p:home', group: 'pages', label: t('shell.home'), href: '/' },
      { key: 'p:artifacts', group: 'pages', label: t('shell.artifacts'), href: '/artifacts' },
      { key: 'p:connectors', group: 'pages', label: t('shell.connectors'), href: '/connectors' },
      { key: 'p:settings', group: 'pages', label: t('shell.settings'), href: '/settings' },
      {
        key: 'p:language',
        group: 'pages',
        label: t('settings.language'),
        detail: t('shell.settings'),
        href: '/settings#language',
      },
      {
        key: 'p:theme',
        group: 'pages',
        label: t('settings.theme'),
        detail: t('shell.settings'),
        href: '/settings#theme',
      },
      {
        key: 'p:model',
        group: 'pages',
        label: t('settings.model'),
        detail: t('shell.settings'),
        href: '/settings#model',
      },
      { key: 'x:add', group: 'actions', label: t('connectors.add'), href: '/connectors?add=command' },
      { key: 'x:publish', group: 'actions', label: t('artifacts.publish'), href: '/artifacts?publish=true' },
    ];
    const titled = conversations.map((each) => ({ ...each, title: conversationTitle(t, each) }));
    return [...pages, ...collectEntries({ conversations: titled, connectors, artifacts, tools })];
  }, [t, conversations, connectors, artifacts, tools]);
}
