import type { ToolInfo } from '@portico/api';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { ApiClient } from '../api/client.ts';
import { toConsoleError } from '../errors.ts';

export interface ToolList {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Revision of the connector that was asked. */
  readonly revision: number;
  readonly tools: readonly ToolInfo[];
  readonly problem?: string;
}

export interface ToolLists {
  readonly store: StoreApi<Readonly<Record<string, ToolList>>>;
  /** Reads a connector's tools unless they were read, or are being read, at this revision. */
  ensure(connectorId: string, revision: number): Promise<void>;
}

/** Tool lists by connector, read when something shows them and again after the connector changed. */
export function createToolLists(api: ApiClient): ToolLists {
  const store = createStore<Readonly<Record<string, ToolList>>>(() => ({}));
  const put = (connectorId: string, list: ToolList): void =>
    store.setState((lists) =>
      // An answer to an older question must not overwrite a newer one.
      (lists[connectorId]?.revision ?? -1) > list.revision ? lists : { ...lists, [connectorId]: list },
    );
  return {
    store,
    async ensure(connectorId, revision) {
      const known = store.getState()[connectorId];
      if (known !== undefined && isKnown(known, revision)) return;
      put(connectorId, { status: 'loading', revision, tools: known?.tools ?? [] });
      try {
        put(connectorId, { status: 'ready', revision, tools: await api.tools(connectorId) });
      } catch (thrown) {
        const { message } = toConsoleError(thrown);
        put(connectorId, { status: 'failed', revision, tools: known?.tools ?? [], problem: message });
      }
    },
  };
}

/** A reading that failed is no reading: whoever shows the tools next tries again. */
const isKnown = ({ status, revision }: ToolList, wanted: number): boolean =>
  revision > wanted || (revision === wanted && status !== 'failed');
