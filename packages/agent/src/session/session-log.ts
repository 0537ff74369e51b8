import { randomUUID } from 'node:crypto';
import { AgentError } from '../errors.ts';
import type { ModelMessage } from '../provider/model-provider.ts';
import { validHistory } from './history.ts';
import type { SessionEntry, SessionStore } from './session-store.ts';

/** The history of one session, in memory and in its store. */
export interface SessionLog {
  readonly id: string;
  /** Whether it goes on with earlier entries. */
  readonly resumed: boolean;
  /** Rejects with `session_failed`. */
  append(...entries: readonly SessionEntry[]): Promise<void>;
  /** What the next request holds. */
  messages(): ModelMessage[];
}

export interface SessionStart {
  readonly store: SessionStore | undefined;
  readonly resume: string | undefined;
  readonly sessionId: string | undefined;
  readonly fork: boolean;
  readonly resumeAt: string | undefined;
}

/** Entries up to the named answer, with the recorded results of its tool uses. */
function cutAt(entries: readonly SessionEntry[], mark: string): SessionEntry[] | undefined {
  const at = entries.findLastIndex(
    (entry) => entry.type === 'assistant' && (entry.messageId === mark || entry.uuids.includes(mark)),
  );
  if (at === -1) return undefined;
  const results = entries.slice(at + 1);
  const end = results.findIndex((entry) => entry.type !== 'user' || entry.origin !== 'tool_result');
  return entries.slice(0, end === -1 ? undefined : at + 1 + end);
}

/** The entries that count, with every rewind carried out. */
function afterRewinds(entries: readonly SessionEntry[]): SessionEntry[] {
  let kept: SessionEntry[] = [];
  for (const entry of entries) {
    if (entry.type === 'rewind') kept = cutAt(kept, entry.to) ?? kept;
    else kept.push(entry);
  }
  return kept;
}

async function guarded<T>(sessionId: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new AgentError('session_failed', { sessionId }, { cause });
  }
}

async function earlierEntries(start: SessionStart): Promise<readonly SessionEntry[]> {
  const id = start.resume ?? start.sessionId;
  if (id === undefined || start.store === undefined) return [];
  const entries = afterRewinds(await guarded(id, start.store.load(id)));
  if (start.resume !== undefined && entries.length === 0) {
    throw new AgentError('session_not_found', { sessionId: id });
  }
  if (start.resumeAt === undefined) return entries;
  const kept = cutAt(entries, start.resumeAt);
  if (kept === undefined) throw new AgentError('session_not_found', { sessionId: id });
  return kept;
}

/**
 * Opens a new session or an earlier one.
 * @throws AgentError `session_not_found` when the session or the place in it is not known,
 * `session_failed` when the store rejects
 */
export async function openSession(start: SessionStart): Promise<SessionLog> {
  const earlier = await earlierEntries(start);
  const { store } = start;
  const id = (start.fork ? undefined : (start.resume ?? start.sessionId)) ?? randomUUID();
  const entries = [...earlier];
  // A store keeps whole sessions only, so a fork begins with a copy of what it goes on from.
  if (start.fork && store !== undefined) await guarded(id, store.append(id, earlier));
  else if (start.resumeAt !== undefined && store !== undefined) {
    await guarded(id, store.append(id, [{ type: 'rewind', to: start.resumeAt }]));
  }
  // Calls that end at the same time append at the same time; the store sees one after another.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    id,
    resumed: earlier.length > 0,
    append: async (...added) => {
      entries.push(...added);
      if (store === undefined || added.length === 0) return;
      const written = writing.then(() => guarded(id, store.append(id, added)));
      writing = written.catch(() => {});
      await written;
    },
    messages: () => validHistory(entries),
  };
}
