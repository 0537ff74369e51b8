// Rows of managed servers that count how often they render, for any library that manages servers.
import { StrictMode, memo } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** What the rows need of a library. */
export interface RowsLibrary<Client> {
  /** Puts the provider around the rows. */
  readonly provide: (rows: ReactNode) => ReactNode;
  readonly useIds: () => readonly string[];
  readonly useServer: (id: string) => RowServer | undefined;
  readonly useClient: () => Client;
}

interface RowServer {
  readonly state: string;
  readonly tools: readonly unknown[];
  readonly unreadNotificationCount: number;
}

/** What tests see of the rows and do with them. */
export interface CountedRows<Client> {
  /** How often each component rendered, by name; rows by the id of their server. */
  readonly renders: Record<string, number>;
  readonly client: () => Client;
  readonly unmount: () => void;
  /** Characters that were made of values as JSON so far. */
  readonly serialized: () => number;
}

/** @param strict whether React's strict mode surrounds all */
export function mountRows<Client>(library: RowsLibrary<Client>, strict: boolean): CountedRows<Client> {
  const renders: Record<string, number> = {};
  let latest: Client | undefined;
  const count = (name: string): void => void (renders[name] = (renders[name] ?? 0) + 1);
  const Row = memo(function Row({ id }: { readonly id: string }): ReactNode {
    count(id);
    const server = library.useServer(id);
    return <li>{`${id} ${server?.state} ${server?.tools.length}`}</li>;
  });
  const Unread = (): ReactNode => {
    count('unread');
    return <output>{library.useServer('s0')?.unreadNotificationCount}</output>;
  };
  const Functions = (): ReactNode => {
    count('functions');
    latest = library.useClient();
    return null;
  };
  const Rows = (): ReactNode => {
    count('rows');
    return library.useIds().map((id) => <Row key={id} id={id} />);
  };
  const place = document.createElement('main');
  document.body.append(place);
  const root = createRoot(place);
  const serialized = countSerialized();
  const tree = library.provide(
    <>
      <Rows />
      <Unread />
      <Functions />
    </>,
  );
  root.render(strict ? <StrictMode>{tree}</StrictMode> : tree);
  return {
    renders,
    client: () => latest as Client,
    unmount: () => {
      root.unmount();
      place.remove();
      serialized.stop();
    },
    serialized: serialized.total,
  };
}

/** Counts what is made of values as JSON until it is stopped. */
function countSerialized(): { readonly total: () => number; readonly stop: () => void } {
  const { stringify } = JSON;
  let total = 0;
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    total += (text as string | undefined)?.length ?? 0;
    return text;
  }) as typeof stringify;
  return { total: () => total, stop: () => void (JSON.stringify = stringify) };
}
