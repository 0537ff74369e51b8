import { useMcpServer } from '@portico/react';
import type { ReactNode } from 'react';
import { Loading } from '../ui/states.tsx';
import { ListFaults } from './list-faults.tsx';
import type { ListName } from './use-refresh.ts';

export interface ListPlaceProps {
  readonly connectorId: string;
  readonly lists: readonly ListName[];
  readonly isEmpty: boolean;
  /** Whether it is still to be found out that there is nothing. */
  readonly reading?: boolean;
  /** Shown where the server offers nothing of the kind. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** The place of what a server lists: the list with its faults, or in one sentence that there is nothing. */
export function ListPlace(props: ListPlaceProps) {
  const { connectorId, lists, isEmpty, reading = false, empty, children } = props;
  const failed = useMcpServer(connectorId, (server) =>
    lists.some((list) => server?.listErrors?.[list] !== undefined),
  );
  const instead = failed ? null : reading ? <Loading /> : empty;
  return (
    <>
      <ListFaults connectorId={connectorId} lists={lists} />
      {isEmpty ? instead : children}
    </>
  );
}
