import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { showHidden } from '../ui/visible-text.ts';

/** What of a connector's page is shown in its panel. */
export type ItemSearch =
  | { readonly resource: string }
  | { readonly template: string }
  | { readonly prompt: string };

export interface ItemRowProps {
  readonly connectorId: string;
  readonly search: ItemSearch;
  readonly selected: boolean;
  readonly title: string;
  /** Its name in the protocol: an address, or a name beside the title. */
  readonly code?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: ReactNode;
}

/** One thing that a server lists; pressing it anywhere shows it in the panel. */
export function ItemRow(props: ItemRowProps) {
  const { connectorId, search, selected, title, code, description, tags } = props;
  return (
    <li className="relative px-4 py-2.5 transition-colors hover:bg-hover has-[[aria-current]]:bg-accent-soft">
      <div className="flex items-baseline gap-2.5">
        <Link
          to="/connectors/$connectorId"
          params={{ connectorId }}
          search={search}
          // The router would take the page itself for the current one.
          activeProps={{}}
          aria-current={selected ? 'true' : undefined}
          className="min-w-0 truncate font-medium -outline-offset-2 after:absolute after:inset-0"
        >
          {title}
        </Link>
        <span className="ms-auto flex shrink-0 items-baseline gap-1.5">{tags}</span>
      </div>
      {code === undefined ? null : (
        <code className="block truncate text-xs text-ink-faint">{showHidden(code)}</code>
      )}
      {description === undefined ? null : (
        <p dir="auto" className="mt-0.5 line-clamp-2 text-xs text-ink-soft">
          {description}
        </p>
      )}
    </li>
  );
}
