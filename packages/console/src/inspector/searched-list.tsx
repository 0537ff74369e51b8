import type { ReactNode } from 'react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';

/** Rows shown at once; more on request, so that thousands stay light. */
const PAGE_SIZE = 100;
/** From this many on there is a box to search them. */
const SEARCH_FROM = 8;

export interface SearchedListProps<Item> {
  readonly items: readonly Item[];
  readonly searchLabel: string;
  /** What a search looks at. */
  readonly textOf: (item: Item) => string;
  /** One `li`, with a key of its own. */
  readonly row: (item: Item) => ReactNode;
  /** At the end of the line with the search. */
  readonly action?: ReactNode;
}

/** A list to search and to look through; entries that come and go leave focus and scrolling alone. */
export function SearchedList<Item>({ items, searchLabel, textOf, row, action }: SearchedListProps<Item>) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim().toLowerCase());
  const [shown, setShown] = useState(PAGE_SIZE);
  const found = wanted === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(wanted));
  return (
    <div>
      <div className="mb-3 flex items-center gap-2 empty:hidden">
        {items.length < SEARCH_FROM && query === '' ? null : (
          <input
            type="search"
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={`${CONTROL_LOOK} max-w-80`}
          />
        )}
        {action === undefined ? null : <div className="ms-auto">{action}</div>}
      </div>
      {found.length === 0 ? (
        <p className="text-sm text-ink-soft">{t('inspector.nothingFound')}</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-raised shadow-card">
          {found.slice(0, shown).map((item) => row(item))}
        </ul>
      )}
      {found.length > shown ? (
        <Button className="mt-4" onClick={() => setShown(shown + PAGE_SIZE)}>
          {t('inspector.showMore', { count: found.length - shown })}
        </Button>
      ) : null}
    </div>
  );
}
