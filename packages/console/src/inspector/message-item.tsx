import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonTree } from '../conversation/json-tree.tsx';
import { formatDuration, formatTime } from '../i18n/format.ts';
import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { showHidden } from '../ui/visible-text.ts';
import type { MessageRow } from './message-rows.ts';

const GRAVE: ReadonlySet<string> = new Set(['error', 'critical', 'alert', 'emergency']);

function gistLook({ kind, level = '' }: MessageRow): string {
  if (kind === 'error' || GRAVE.has(level)) return 'text-danger';
  return level === 'warning' ? 'text-warn' : 'text-ink-soft';
}

interface NumbersProps {
  readonly tookMs: number | undefined;
  readonly id: string | undefined;
}

/** How long an answer took, and the number that it has in common with its request. */
function Numbers({ tookMs, id }: NumbersProps) {
  const { i18n } = useTranslation();
  const took = tookMs === undefined ? '' : formatDuration(tookMs, i18n.language);
  return (
    <span className="flex shrink-0 gap-2 text-2xs text-ink-faint tabular-nums narrow:hidden">
      {took === '' ? null : <span>{took}</span>}
      {id === undefined ? null : <span>{`#${id}`}</span>}
    </span>
  );
}

/** A message never changes; what is known of it beside itself may be lost with its request. */
function sameRow(a: { readonly row: MessageRow }, b: { readonly row: MessageRow }): boolean {
  return a.row.entry === b.row.entry && a.row.method === b.row.method;
}

/** One message in a line, and whole as a tree when it is opened. */
export const MessageItem = memo(function MessageItem({ row }: { readonly row: MessageRow }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const { entry, kind, method, id, tookMs, gist, level } = row;
  const sent = entry.direction === 'sent';
  const Arrow = sent ? ArrowUpRight : ArrowDownLeft;
  return (
    <li>
      <button
        type="button"
        data-message
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2.5 px-3 py-1.5 text-start text-xs -outline-offset-2 transition-colors hover:bg-hover narrow:min-h-11 narrow:flex-col narrow:items-stretch narrow:justify-center narrow:gap-0"
      >
        <span className="flex min-w-0 max-w-[70%] items-center gap-2.5 narrow:max-w-full">
          <time dateTime={entry.time} className="shrink-0 text-2xs text-ink-faint tabular-nums">
            {formatTime(Date.parse(entry.time), i18n.language)}
          </time>
          <Arrow
            aria-hidden
            className={classNames('size-3.5 shrink-0 rtl:-scale-x-100', sent ? 'text-accent' : 'text-good')}
            strokeWidth={2.2}
          />
          <span className="sr-only">{t(`inspector.directions.${entry.direction}`)}</span>
          <code className="min-w-0 truncate font-medium text-ink">
            {showHidden(method ?? t('inspector.unknownMethod'))}
          </code>
          {kind === 'result' || kind === 'error' ? (
            <span
              className={classNames('shrink-0 text-2xs', kind === 'error' ? 'text-danger' : 'text-ink-faint')}
            >
              {t(`inspector.kind.${kind}`)}
            </span>
          ) : null}
          {level === undefined ? null : (
            <span className={classNames('shrink-0 text-2xs font-medium', gistLook(row))}>{level}</span>
          )}
        </span>
        <span className={classNames('min-w-0 flex-1 truncate font-code narrow:flex-none', gistLook(row))}>
          {showHidden(gist)}
        </span>
        <Numbers tookMs={tookMs} id={id} />
      </button>
      {open ? (
        <div className="flex items-start gap-1 px-3 pb-3">
          <div className="min-w-0 flex-1">
            <JsonTree value={entry.message} label={t('inspector.wholeMessage')} openDepth={3} />
          </div>
          <CopyButton
            text={() => JSON.stringify(entry.message, null, 2)}
            label={t('inspector.copyMessage')}
          />
        </div>
      ) : null}
    </li>
  );
}, sameRow);
