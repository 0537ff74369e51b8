import type { ClientContext } from '@portico/client';
import { ProtocolError } from '@portico/rpc';
import type { Clock } from '@portico/rpc';
import { elicitContentFault, isCreateMessageResult, isElicitResult, withElicitDefaults } from '@portico/spec';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
} from '@portico/spec';
import { ConnectionsError } from '../errors.ts';
import type { ServerRequestHandlers } from '../options.ts';
import { createAskList } from './ask-list.ts';
import type { AskList, Wait } from './ask-list.ts';
import { freezeDeep } from '../freeze-deep.ts';
import type { ServerCallbacks } from './server-config.ts';
import type { PendingElicitationRequest, PendingSamplingRequest } from './server-parts.ts';

const WAIT_MS = 300_000;
const MAX_WAITING = 100;
/** What a person's refusal is told as. */
const REJECTED = -1;

/** What an {@link AskQueue} needs. */
export interface AskQueueOptions {
  /** The entry whose questions these are. */
  readonly serverId: string;
  readonly clock: Clock;
  /** A new id, different from all others of all entries. */
  readonly newId: () => string;
  /** The name that is shown beside a question. */
  readonly serverName: () => string;
  /** One of the lists differs. Must not throw. */
  readonly changed: () => void;
  /** A question was turned away that nobody saw. Must not throw. */
  readonly refused: (message: string) => void;
  /** Answer in place of the queue where they are given; looked up at each question. */
  readonly callbacks?: () => Pick<ServerCallbacks, 'onSampling' | 'onElicitation'>;
  /** Whether the client fills the defaults of forms in, so that they may be missing here. */
  readonly appliesDefaults?: () => boolean;
}

/** The questions of one server that wait for the application, oldest first. Source: R109–R116. */
export interface AskQueue {
  readonly sampling: PendingSamplingRequest[];
  readonly elicitation: PendingElicitationRequest[];
  /** To be registered with the client of every connection of the entry, which lets no bad question through. */
  readonly handlers: Required<Pick<ServerRequestHandlers, 'sampling' | 'elicitation'>>;
  /**
   * Does nothing, like the other three, when no question has this id any more.
   *
   * @throws ConnectionsError `invalid_answer`: the result is none, or does not fit; the question stays
   */
  approveSampling(id: string, result: CreateMessageResult): void;
  rejectSampling(id: string, text?: string): void;
  /** @throws ConnectionsError `invalid_answer`: the result is none, or does not fit; the question stays */
  approveElicitation(id: string, result: ElicitResult): void;
  /** Declines; with a text the request fails with it. */
  rejectElicitation(id: string, text?: string): void;
  /** The connection was lost, or the entry is gone: nobody waits for answers any more. */
  end(): void;
}

/** Why a result cannot answer the sampling request; undefined when it can. */
function samplingFault(
  { tools, toolChoice }: CreateMessageRequestParams,
  result: unknown,
): string | undefined {
  if (!isCreateMessageResult(result)) return 'the result is no message of a model';
  const withTools = tools !== undefined || toolChoice !== undefined;
  const isList = Array.isArray(result.content);
  return isList && !withTools ? 'without tools the answer has one block of content' : undefined;
}

/** Why a result cannot answer the elicitation request; undefined when it can. */
function elicitationFault(
  params: ElicitRequestParams,
  result: unknown,
  appliesDefaults: boolean,
): string | undefined {
  if (!isElicitResult(result)) return 'the result is no answer to an elicitation';
  if (params.mode === 'url' || result.action !== 'accept') return undefined;
  const { requestedSchema } = params;
  const content = result.content ?? {};
  const filled = appliesDefaults ? withElicitDefaults(requestedSchema, content) : content;
  return elicitContentFault(requestedSchema, filled);
}

/**
 * Makes of a text what a request fails with: an error on the wire of old servers, and for modern ones,
 * to which nothing is sent then, a failure of the call that the question belongs to.
 */
function refusalOf(serverId: string, { connection }: ClientContext): (text: string) => Error {
  const isModern = connection.getProtocolEra() === 'modern';
  return (text) =>
    isModern
      ? new ConnectionsError('input_rejected', { id: serverId }, { message: text })
      : new ProtocolError(REJECTED, text);
}

/** Both lists of one entry, with what their questions have in common. */
interface Lists {
  readonly sampling: AskList<PendingSamplingRequest, CreateMessageResult>;
  readonly elicitation: AskList<PendingElicitationRequest, ElicitResult>;
  /** What every question has; @throws what a question over the limit fails with */
  admit(context: ClientContext): Admission;
}

interface Admission {
  readonly head: { readonly id: string; readonly timestamp: number; readonly serverName: string };
  readonly fate: Pick<Wait<never, never>, 'signal' | 'refusal' | 'gone'>;
}

function createLists({ serverId, clock, newId, serverName, changed, refused }: AskQueueOptions): Lists {
  const port = { clock, changed, waitMs: WAIT_MS };
  const sampling: Lists['sampling'] = createAskList(port);
  const elicitation: Lists['elicitation'] = createAskList(port);
  return {
    sampling,
    elicitation,
    admit(context) {
      const refusal = refusalOf(serverId, context);
      if (sampling.items.length + elicitation.items.length >= MAX_WAITING) {
        refused('the server asked for more than can wait');
        throw refusal('too many requests are waiting for an answer');
      }
      const { signal } = context.mcpReq;
      const gone = (): Error =>
        new ConnectionsError('cancelled', { id: serverId }, { cause: signal.reason as unknown });
      return {
        head: { id: newId(), timestamp: clock.now(), serverName: serverName() },
        fate: { signal, refusal, gone },
      };
    },
  };
}

function createHandlers(lists: Lists, { callbacks }: AskQueueOptions): AskQueue['handlers'] {
  return {
    async sampling(_id, incoming, context) {
      const params = freezeDeep(incoming.params) as unknown as CreateMessageRequestParams;
      const request = Object.freeze({ method: 'sampling/createMessage' as const, params });
      const { onSampling } = callbacks?.() ?? {};
      if (onSampling !== undefined) return onSampling(request);
      const { head, fate } = lists.admit(context);
      return lists.sampling.add({
        item: Object.freeze({ ...head, request }),
        ...fate,
        onLate: (waiting) => waiting.refuse('nobody answered the sampling request in time'),
      });
    },
    async elicitation(_id, incoming, context) {
      const request = freezeDeep(incoming.params) as unknown as ElicitRequestParams;
      const { onElicitation } = callbacks?.() ?? {};
      if (onElicitation !== undefined) return onElicitation(request);
      const { head, fate } = lists.admit(context);
      return lists.elicitation.add({
        item: Object.freeze({ ...head, request }),
        ...fate,
        onLate: (waiting) => waiting.answer({ action: 'cancel' }),
      });
    },
  };
}

export function createAskQueue(options: AskQueueOptions): AskQueue {
  const { serverId, appliesDefaults } = options;
  const lists = createLists(options);
  const { sampling, elicitation } = lists;
  const requireFit = (fault: string | undefined): void => {
    if (fault === undefined) return;
    throw new ConnectionsError('invalid_answer', { id: serverId }, { message: fault });
  };
  return {
    get sampling() {
      return sampling.items;
    },
    get elicitation() {
      return elicitation.items;
    },
    handlers: createHandlers(lists, options),
    approveSampling(id, result) {
      const waiting = sampling.get(id);
      if (waiting === undefined) return;
      requireFit(samplingFault(waiting.item.request.params, result));
      waiting.answer(result);
    },
    rejectSampling(id, text = 'the sampling request was rejected') {
      sampling.get(id)?.refuse(text);
    },
    approveElicitation(id, result) {
      const waiting = elicitation.get(id);
      if (waiting === undefined) return;
      requireFit(elicitationFault(waiting.item.request, result, appliesDefaults?.() ?? false));
      waiting.answer(result);
    },
    rejectElicitation(id, text) {
      const waiting = elicitation.get(id);
      if (text === undefined) waiting?.answer({ action: 'decline' });
      else waiting?.refuse(text);
    },
    end() {
      for (const list of [sampling, elicitation]) {
        list.failAll(new ConnectionsError('connection_closed', { id: serverId }));
      }
    },
  };
}
