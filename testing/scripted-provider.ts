import { AgentError } from '@portico/agent/provider';
import type {
  ModelProvider,
  ModelRequest,
  ModelStreamEvent,
  ProviderErrorCode,
} from '@portico/agent/provider';
import { requestProblem } from './scripted-model-checks.ts';
import { badRequest, wireSteps } from './scripted-reply.ts';
import type { ScriptedAnswer, ScriptedFailure, ScriptedReply } from './scripted-reply.ts';

/** A provider in memory that plays a script and checks requests as a real one does. */
export interface ScriptedProvider extends ModelProvider {
  readonly requests: readonly ModelRequest[];
}

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'provider_auth',
  429: 'provider_rate_limited',
  529: 'provider_overloaded',
};

function failed(failure: ScriptedFailure): AgentError<ProviderErrorCode> {
  const seconds = Number(failure.headers?.['retry-after']);
  return new AgentError(
    CODES[failure.status] ?? 'provider_bad_request',
    { status: failure.status, ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}) },
    { message: failure.message },
  );
}

async function* play(
  reply: ScriptedAnswer,
  place: { number: number; model: string },
): AsyncGenerator<ModelStreamEvent, void> {
  for await (const step of wireSteps(reply, place)) {
    if (step.kind === 'cut') throw new AgentError('provider_stream_cut', {});
    if (step.event.type === 'error') throw new AgentError('provider_overloaded', {});
    yield structuredClone(step.event) as unknown as ModelStreamEvent;
  }
}

/** @param script replies in order, or a function of the request and its number (from 0) */
export function createScriptedProvider(
  script: readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply),
): ScriptedProvider {
  const requests: ModelRequest[] = [];
  let played = 0;
  async function* stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent, void> {
    const number = requests.push(structuredClone(request)) - 1;
    const { maxTokens, ...rest } = request;
    const problem = requestProblem({ ...rest, max_tokens: maxTokens });
    if (problem !== undefined) throw failed(badRequest(problem));
    const index = played++;
    const reply = typeof script === 'function' ? script(request, index) : script[index];
    if (reply === undefined) throw failed(badRequest('the script has no more replies'));
    if (reply.type === 'failure') throw failed(reply);
    yield* play(reply, { number, model: request.model });
  }
  return { name: 'scripted', defaultModel: 'scripted-model', requests, stream };
}
