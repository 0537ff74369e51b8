import type { Item } from '@portico/api';
import { ArrowDown } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { BrandMark } from '../shell/brand.tsx';
import { Markdown } from './markdown.tsx';
import { ProblemCard } from './problem-card.tsx';
import { ToolCallCard } from './tool-call-card.tsx';
import { useFollowEnd } from './use-follow-end.ts';

export interface TranscriptProps {
  readonly conversationId: string;
  readonly items: readonly Item[];
  readonly idle: boolean;
  /** The item that the address names. */
  readonly selectedId: string | undefined;
  readonly empty: ReactNode;
}

export function Transcript({ empty, ...filled }: TranscriptProps) {
  if (filled.items.length > 0) return <FilledTranscript {...filled} />;
  // Read from its top, unlike a transcript, whose end is what counts.
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className={COLUMN}>{empty}</div>
    </div>
  );
}

const COLUMN = 'mx-auto max-w-3xl px-4 pt-6 pb-8 md:px-8';

function FilledTranscript({ conversationId, items, idle, selectedId }: Omit<TranscriptProps, 'empty'>) {
  const { t } = useTranslation();
  const { scroller, content, atEnd, toEnd } = useFollowEnd({ startAtEnd: selectedId === undefined });
  const lastId = items.at(-1)?.id;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        data-transcript
        tabIndex={-1}
        className="h-full overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
      >
        <div ref={content} className={COLUMN}>
          <ol className="flex flex-col gap-5">
            {items.map((item) => (
              <TranscriptItem
                key={item.id}
                conversationId={conversationId}
                item={item}
                selected={item.id === selectedId}
                current={idle && item.id === lastId}
              />
            ))}
          </ol>
        </div>
      </div>
      {atEnd ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button icon={ArrowDown} className="pointer-events-auto rounded-full shadow-float" onClick={toEnd}>
            {t('conversation.toNewest')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface TranscriptItemProps {
  readonly conversationId: string;
  readonly item: Item;
  readonly selected: boolean;
  readonly current: boolean;
}

const TranscriptItem = memo(function TranscriptItem({
  conversationId,
  item,
  selected,
  current,
}: TranscriptItemProps) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (selected) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <li
      ref={ref}
      id={`item-${item.id}`}
      className={classNames('scroll-m-6 rounded-2xl', selected && 'flash')}
    >
      <ItemBody conversationId={conversationId} item={item} current={current} />
    </li>
  );
});

function ItemBody({ conversationId, item, current }: Omit<TranscriptItemProps, 'selected'>) {
  const { t } = useTranslation();
  switch (item.type) {
    case 'user_message':
      return (
        <div className="flex justify-end">
          <div className="max-w-[85%] rounded-2xl rounded-ee-md bg-accent-soft px-4 py-2.5">
            <span className="sr-only">{t('conversation.youSaid')}</span>
            <p dir="auto" className="text-base whitespace-pre-wrap [overflow-wrap:anywhere]">
              {item.text}
            </p>
          </div>
        </div>
      );
    case 'assistant_message':
      return (
        <div className="flex gap-3">
          <BrandMark className="mt-1 size-4.5 shrink-0 text-accent narrow:hidden" />
          <div className="min-w-0 flex-1" aria-busy={item.streaming}>
            <span className="sr-only">{t('conversation.modelSaid', { model: item.model })}</span>
            {item.text === '' && item.streaming ? <Thinking /> : <Markdown text={item.text} />}
          </div>
        </div>
      );
    case 'tool_call':
      return <ToolCallCard conversationId={conversationId} call={item} />;
    case 'problem':
      return <ProblemCard conversationId={conversationId} problem={item} current={current} />;
  }
}

function Thinking() {
  const { t } = useTranslation();
  return (
    <p className="flex items-center gap-2 py-1 text-sm text-ink-faint">
      <span aria-hidden className="breathe h-3.5 w-1 rounded-full bg-accent" />
      {t('conversation.thinking')}
    </p>
  );
}
