import type { Artifact, Connector, Conversation, ToolInfo } from '@portico/api';
import type { McpClientProviderProps } from '@portico/react';
import { createContext, use, useEffect, useMemo } from 'react';
import type { StoreApi } from 'zustand';
import { useStore } from 'zustand';
import type { ApiClient } from '../api/client.ts';
import { ConsoleError } from '../errors.ts';
import type { Clock } from '../stream/clock.ts';
import type { Announcer } from './announcer.ts';
import type { Drafts } from './drafts.ts';
import type { HostState, Transcript } from './host-state.ts';
import type { HostStore } from './host-store.ts';
import type { Isolation } from './isolation.ts';
import type { Preferences } from './preferences.ts';
import type { Prompts } from './prompts.ts';
import type { ToolLists } from './tool-lists.ts';
import type { ViewFactStore } from './view-facts.ts';

export interface McpSurroundings {
  /** Where the host is, as `https://host:port`. */
  readonly origin: string;
  /** In place of the browser's own fetch, clock and so on. */
  readonly environment?: McpClientProviderProps['environment'];
}

/** Everything screens need, made once in the composition root. */
export interface ConsoleServices {
  readonly api: ApiClient;
  readonly host: HostStore;
  readonly tools: ToolLists;
  readonly preferences: StoreApi<Preferences>;
  readonly drafts: Drafts;
  readonly announcer: Announcer;
  readonly prompts: Prompts;
  readonly viewFacts: ViewFactStore;
  readonly isolation: Isolation;
  readonly clock: Clock;
  /** The world around connections to MCP servers. */
  readonly mcp: McpSurroundings;
  /** A new random identifier, for requests that may be repeated. */
  readonly newId: () => string;
}

const ConsoleContext = createContext<ConsoleServices | undefined>(undefined);

export const ConsoleProvider = ConsoleContext.Provider;

export function useConsole(): ConsoleServices {
  const services = use(ConsoleContext);
  if (services === undefined) throw new ConsoleError('missing_context');
  return services;
}

export function useHost<T>(select: (state: HostState) => T): T {
  return useStore(useConsole().host.store, select);
}

export function usePreferences<T>(select: (preferences: Preferences) => T): T {
  return useStore(useConsole().preferences, select);
}

export function useConnectors(): readonly Connector[] {
  const record = useHost((state) => state.connectors);
  return useMemo(() => Object.values(record).sort((a, b) => a.name.localeCompare(b.name)), [record]);
}

export function useConnector(connectorId: string): Connector | undefined {
  return useHost((state) => state.connectors[connectorId]);
}

/** Newest first. */
export function useConversations(): readonly Conversation[] {
  const record = useHost((state) => state.conversations);
  return useMemo(() => Object.values(record).sort((a, b) => b.updatedAtMs - a.updatedAtMs), [record]);
}

export function useArtifacts(): readonly Artifact[] {
  const record = useHost((state) => state.artifacts);
  return useMemo(() => Object.values(record).sort((a, b) => b.updatedAtMs - a.updatedAtMs), [record]);
}

export function useTranscript(conversationId: string): Transcript | undefined {
  const { host } = useConsole();
  useEffect(() => {
    void host.openConversation(conversationId);
  }, [host, conversationId]);
  return useHost((state) => state.transcripts[conversationId]);
}

export interface ListedTool {
  readonly connector: Connector;
  readonly tool: ToolInfo;
}

/** Tools of every working connector that a person may call. */
export function useCallableTools(): readonly ListedTool[] {
  const { tools } = useConsole();
  const connectors = useConnectors();
  const revisions = useHost((state) => state.revisions);
  const lists = useStore(tools.store);
  useEffect(() => {
    for (const { id, status } of connectors) if (isUsable(status)) void tools.ensure(id, revisions[id] ?? 0);
  }, [tools, connectors, revisions]);
  return useMemo(
    () =>
      connectors
        .filter(({ status }) => isUsable(status))
        .flatMap((connector) =>
          (lists[connector.id]?.tools ?? [])
            .filter(({ visibility }) => visibility.includes('model'))
            .map((tool) => ({ connector, tool })),
        ),
    [connectors, lists],
  );
}

/** A degraded connector may still answer. */
export const isUsable = (status: Connector['status']): boolean => status === 'ready' || status === 'degraded';
