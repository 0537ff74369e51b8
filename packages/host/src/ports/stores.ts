import type { ConnectorStarts, Conversation, Item, Manifest, SignInAttempt } from '@portico/api';
import type { LeaseStore } from '@portico/oauth';

/** A connector as it is stored. Values of variables and headers are sealed text, never plain. */
export interface ConnectorRecord {
  readonly id: string;
  readonly name: string;
  /**
   * Tells the accounts of one connector apart; empty for the first until it is given one. Accounts
   * are records with one `groupId`, one name and one server, and with secrets of their own.
   */
  readonly label: string;
  readonly groupId: string;
  readonly transport: StoredTransport;
  readonly enabled: boolean;
  /** When it begins to run; the same for all accounts of one connector. */
  readonly starts: ConnectorStarts;
  /** Hash of the exact command that the person approved; another command asks again. */
  readonly approvedHash: string | null;
  readonly createdAtMs: number;
}

export type StoredTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      /** Name → sealed value. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** Name → sealed value. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'builtin'; readonly module: string };

export interface ConnectorStore {
  list(): Promise<readonly ConnectorRecord[]>;
  get(id: string): Promise<ConnectorRecord | undefined>;
  /** Inserts or replaces by id. */
  put(record: ConnectorRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface ConversationStore {
  list(): Promise<readonly Conversation[]>;
  get(id: string): Promise<Conversation | undefined>;
  put(conversation: Conversation): Promise<void>;
  /** Removes it with its items and its model history; later writes into it fail with `missing_parent`. */
  remove(id: string): Promise<void>;
  /** Items in the order in which they were first put. */
  items(conversationId: string): Promise<readonly Item[]>;
  item(conversationId: string, itemId: string): Promise<Item | undefined>;
  /** Inserts at the end, or replaces in place by id. */
  putItem(conversationId: string, item: Item): Promise<void>;
  /**
   * Every item, of any conversation, whose work the last stop of the host cut off: messages that were
   * streaming and calls that were running. A call that waits for approval is not cut off (K164).
   */
  unfinishedItems(): Promise<readonly { readonly conversationId: string; readonly item: Item }[]>;
}

/** The agent's own record of a conversation, in the order of writing. Entries are opaque JSON. */
export interface HistoryStore {
  load(conversationId: string): Promise<readonly unknown[]>;
  append(conversationId: string, entries: readonly unknown[]): Promise<void>;
}

export interface ArtifactRecord {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  /** SHA-256 of page and manifest, hex: identical content makes no new version. */
  readonly contentHash: string;
  readonly manifest: Manifest;
  readonly demo: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface ArtifactStore {
  /** The newest version of each artifact, without pages. */
  list(): Promise<readonly ArtifactRecord[]>;
  get(id: string): Promise<ArtifactRecord | undefined>;
  /** The page of one version, manifest script taken out. */
  page(id: string, version: number): Promise<string | undefined>;
  /** Adds a version; versions never change: one that is there already is refused with `already_exists`. */
  addVersion(record: ArtifactRecord, html: string): Promise<void>;
  /** Removes it with all versions and every consent to it. */
  remove(id: string): Promise<void>;
}

export interface ConsentRecord {
  readonly artifactId: string;
  readonly server: string;
  readonly decision: 'allow' | 'deny';
  /** Tools that were published when the person decided: later additions ask again (F60). */
  readonly tools: readonly string[];
  readonly decidedAtMs: number;
}

export interface ConsentStore {
  list(artifactId: string): Promise<readonly ConsentRecord[]>;
  put(record: ConsentRecord): Promise<void>;
  remove(artifactId: string, server: string): Promise<void>;
}

/** Browser sessions, by the SHA-256 of their token in hex. */
export interface SessionRecord {
  readonly tokenHash: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

export interface SessionStore {
  get(tokenHash: string): Promise<SessionRecord | undefined>;
  put(record: SessionRecord): Promise<void>;
  remove(tokenHash: string): Promise<void>;
  /** Forgets sessions that began, or were last used, before these moments (epoch ms). */
  prune(limits: { readonly createdBeforeMs: number; readonly seenBeforeMs: number }): Promise<void>;
}

/** One stored event: `data` is JSON text of a HostEvent. */
export interface StoredEvent {
  readonly seq: number;
  readonly data: string;
  readonly atMs: number;
}

export interface EventStore {
  /** Stores events and gives each the next number, in order. */
  append(
    events: readonly { readonly data: string; readonly atMs: number }[],
  ): Promise<readonly StoredEvent[]>;
  /** Up to `limit` events with a larger number, oldest first. */
  after(seq: number, limit: number): Promise<readonly StoredEvent[]>;
  /**
   * Smallest and largest number kept; both 0 when none was ever stored. Numbers are never used twice:
   * when all are forgotten, `last` is still the largest ever given and `first` the one after it.
   */
  range(): Promise<{ readonly first: number; readonly last: number }>;
  /**
   * Forgets the oldest events up to the first one of `beforeMs` or later, and the oldest beyond `keep`:
   * never one in the middle, so that what is left has no gap.
   */
  prune(limits: { readonly beforeMs: number; readonly keep: number }): Promise<void>;
}

/** One thing that is kept in confidence for an account, such as its tokens. `sealed` is never plain. */
export interface GrantRecord {
  readonly connectorId: string;
  readonly name: string;
  readonly sealed: string;
}

export interface GrantStore {
  get(connectorId: string, name: string): Promise<string | undefined>;
  /** Inserts or replaces; refused with `missing_parent` when the account is gone. */
  put(record: GrantRecord): Promise<void>;
  remove(connectorId: string, name: string): Promise<void>;
  /** Of one account, or of all. */
  list(connectorId?: string): Promise<readonly GrantRecord[]>;
}

/** One attempt to sign in, with its steps; removed with its account. */
export interface SignInStore {
  /** Newest first. */
  list(connectorId: string): Promise<readonly SignInAttempt[]>;
  /** Inserts or replaces by id; refused with `missing_parent` when the account is gone. */
  put(attempt: SignInAttempt): Promise<void>;
  /** Forgets attempts of an account that began before `beforeMs`, and the oldest beyond `keep`. */
  prune(connectorId: string, limits: { readonly beforeMs: number; readonly keep: number }): Promise<void>;
}

/** Small values that outlive a restart, such as the chosen port. */
export interface SettingStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string): Promise<void>;
}

/** Everything the host keeps. One contract suite runs over every implementation. */
export interface Stores {
  readonly connectors: ConnectorStore;
  readonly conversations: ConversationStore;
  readonly history: HistoryStore;
  readonly artifacts: ArtifactStore;
  readonly consents: ConsentStore;
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly settings: SettingStore;
  readonly grants: GrantStore;
  readonly signIns: SignInStore;
  /** Who of all who have the store open may do something just now. */
  readonly leases: LeaseStore;
  /**
   * Runs work whose writes land together or not at all. Inside, use only the stores it is given: the
   * outer ones wait until it is over. A transaction inside a transaction can fail on its own.
   */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
