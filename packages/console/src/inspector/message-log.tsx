import { useRpcLog } from '@portico/react';
import type { UseRpcLogResult } from '@portico/react';
import { ArrowDownToLine, ListX, ScrollText } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowEnd } from '../conversation/use-follow-end.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';
import { DirectionChoice } from './direction-choice.tsx';
import { createEntryKeys } from './entry-keys.ts';
import { MessageItem } from './message-item.tsx';
import { filterRows, toMessageRows, toNdjson } from './message-rows.ts';
import type { MessageFilter, MessageRow } from './message-rows.ts';

/** Rows shown at once, the newest; older ones on request. */
const PAGE_SIZE = 200;

/** Everything that this page and a connector said to each other, as far as it is kept. */
export function MessageLog({ connectorId }: { readonly connectorId: string }) {
  const { t } = useTranslation();
  const { entries, clear } = useRpcLog(connectorId);
  const [filter, setFilter] = useState<MessageFilter>({ text: '', direction: 'all' });
  const wanted = useDeferredValue(filter);
  const rows = useMemo(() => toMessageRows(entries), [entries]);
  const found = useMemo(() => filterRows(rows, wanted), [rows, wanted]);
  const { scroller, content, following, toEnd, stay } = useFollowEnd({ startAtEnd: true });
  return (
    <div className="flex flex-col gap-3">
      <LogToolbar
        entries={entries}
        filter={filter}
        following={following}
        onFilter={setFilter}
        onFollow={toEnd}
        onClear={clear}
      />
      <div
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to be reached by key
        tabIndex={0}
        role="region"
        aria-label={t('inspector.messages')}
        className="h-[max(18rem,calc(100dvh-15.5rem))] narrow:h-[max(18rem,calc(100dvh-18.5rem))] overflow-y-auto overscroll-contain rounded-2xl border border-line bg-raised shadow-card"
      >
        <div ref={content}>
          {entries.length === 0 ? (
            <EmptyState icon={ScrollText} title={t('inspector.noMessages')}>
              {t('inspector.noMessagesHint')}
            </EmptyState>
          ) : (
            <Rows rows={found} onOpen={stay} />
          )}
        </div>
      </div>
      <p className="text-2xs text-ink-faint">{t('inspector.messagesHint')}</p>
    </div>
  );
}

interface LogToolbarProps {
  readonly entries: UseRpcLogResult['entries'];
  readonly filter: MessageFilter;
  readonly following: boolean;
  readonly onFilter: (filter: MessageFilter) => void;
  readonly onFollow: () => void;
  readonly onClear: () => void;
}

/** What of the messages is shown, and what can be done with all of them. */
function LogToolbar({ entries, filter, following, onFilter, onFollow, onClear }: LogToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className="@container flex flex-wrap items-center gap-2">
      <input
        type="search"
        aria-label={t('inspector.filterMessages')}
        placeholder={t('inspector.filterMessages')}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        className={`${CONTROL_LOOK} max-w-72 min-w-28 flex-1 basis-28`}
      />
      <DirectionChoice
        value={filter.direction}
        onChange={(direction) => onFilter({ ...filter, direction })}
      />
      <div className="ms-auto flex items-center gap-1">
        <Button
          look="quiet"
          icon={ArrowDownToLine}
          aria-pressed={following}
          aria-label={t('inspector.follow')}
          onClick={onFollow}
          className="px-2.5 text-xs aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
        >
          <span className="@max-xl:hidden">{t('inspector.follow')}</span>
        </Button>
        <CopyButton text={() => toNdjson(entries)} label={t('inspector.copyMessages')} />
        <IconButton
          label={t('inspector.clearMessages')}
          icon={ListX}
          disabled={entries.length === 0}
          onClick={onClear}
        />
      </div>
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly MessageRow[];
  /** Somebody opens a message, to read it where it stands. */
  readonly onOpen: () => void;
}

function Rows({ rows, onOpen }: RowsProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(PAGE_SIZE);
  const [keyOf] = useState(createEntryKeys);
  if (rows.length === 0) return <p className="p-4 text-sm text-ink-soft">{t('inspector.nothingFound')}</p>;
  const older = Math.max(0, rows.length - shown);
  return (
    <>
      {older === 0 ? null : (
        <div className="border-b border-line p-2 text-center">
          <Button look="quiet" className="text-xs" onClick={() => setShown(shown + PAGE_SIZE)}>
            {t('inspector.showOlder', { count: older })}
          </Button>
        </div>
      )}
      <ol onKeyDown={moveAmongRows} onClickCapture={onOpen} className="divide-y divide-line">
        {rows.slice(older).map((row) => (
          <MessageItem key={keyOf(row.entry)} row={row} />
        ))}
      </ol>
    </>
  );
}

/** Arrow keys go from message to message. */
function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-message]')];
  const at = all.findIndex((row) => row === document.activeElement);
  const target = at === -1 ? undefined : all[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}
