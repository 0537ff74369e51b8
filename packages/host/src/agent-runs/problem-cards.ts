import type { ProblemCard } from '@portico/api';
import { newId } from '../random-ids.ts';

type ProblemCode = ProblemCard['code'];

interface Advice {
  readonly message: string;
  readonly retryable: boolean;
}

/** What each failure means for the person. */
const ADVICE: Readonly<Record<ProblemCode, Advice>> = {
  provider_auth: {
    message:
      'The model provider refused the key. Check ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), restart Portico and try again.',
    retryable: true,
  },
  provider_rate_limited: {
    message: 'The model provider has had too many requests from this key. Wait a little and try again.',
    retryable: true,
  },
  provider_overloaded: {
    message: 'The model provider is overloaded. Try again in a moment.',
    retryable: true,
  },
  provider_stream_cut: {
    message: 'The answer broke off before it was complete. What came is kept; try again to go on.',
    retryable: true,
  },
  provider_bad_request: {
    message:
      'The model provider refused the request. Check the name of the model, or begin a new conversation if this one has grown too long.',
    retryable: false,
  },
  provider_unreachable: {
    message:
      'The model provider cannot be reached. Check the network and ANTHROPIC_BASE_URL, then try again.',
    retryable: true,
  },
  too_many_rounds: {
    message: 'The model has asked for tools many times in a row without an end. Try again to let it go on.',
    retryable: true,
  },
  interrupted: {
    message: 'Portico was stopped while this turn ran. Nothing was repeated; try again to go on.',
    retryable: true,
  },
  internal: {
    message: 'Something failed inside Portico. Its log says what; trying again may work.',
    retryable: true,
  },
};

/** A card that says what went wrong and what to do. */
export function problemCard(code: string | undefined, nowMs: number): ProblemCard {
  const known = code !== undefined && Object.hasOwn(ADVICE, code) ? (code as ProblemCode) : 'internal';
  return { type: 'problem', id: newId('problem'), createdAtMs: nowMs, code: known, ...ADVICE[known] };
}
