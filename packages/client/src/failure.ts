import { isProtocolError } from '@portico/rpc';
import { InsufficientScopeError, OAuthClientFlowError, OAuthError, UnauthorizedError } from '@portico/oauth';
import { SdkError, SdkHttpError } from './errors.ts';
import { SseError } from './http/sse-error.ts';
import type { NetworkErrorData, SdkErrorCode, StdioExitData, StdioSpawnData } from './errors.ts';

/**
 * The step of reaching or using a server that failed: looking up its address, connecting, encrypting,
 * the HTTP answer, signing in, the protocol; for children finding the command, or the process.
 */
export type FailureStep =
  | 'address'
  | 'tcp'
  | 'tls'
  | 'http'
  | 'sign_in'
  | 'protocol'
  | 'command'
  | 'process'
  | 'timeout'
  | 'closed'
  | 'cancelled'
  | 'unknown';

/** A failure in the parts that a sentence for a person is made of. */
export interface ClientFailure {
  readonly step: FailureStep;
  /** The error's code: one of this package's, or the server's number as text. */
  readonly code: string;
  readonly message: string;
  readonly httpStatus?: number;
  readonly systemCode?: string;
  /** Name and port of the server that was not reached. */
  readonly host?: string;
  /** Where the server sends to, in a redirect that is not followed. */
  readonly location?: string;
  /** The command that could not be started. */
  readonly command?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Last lines of a child's error output. */
  readonly stderrTail?: readonly string[];
  /** Whether trying again may help although nobody changed anything. */
  readonly retryable: boolean;
  /** Only what was asked is refused: other requests of the same connection may go on. */
  readonly partial?: true;
  /** How long the server wants to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
}

type Described = Pick<ClientFailure, 'step' | 'retryable'>;

const COMMAND: Described = { step: 'command', retryable: false };
const PROTOCOL: Described = { step: 'protocol', retryable: false };
const CLOSED: Described = { step: 'closed', retryable: true };

const STEPS: Readonly<Partial<Record<SdkErrorCode, Described>>> = {
  REQUEST_TIMEOUT: { step: 'timeout', retryable: true },
  REQUEST_ABORTED: { step: 'cancelled', retryable: false },
  CONNECTION_CLOSED: CLOSED,
  SEND_FAILED: CLOSED,
  NOT_CONNECTED: CLOSED,
  CLIENT_HTTP_AUTHENTICATION: { step: 'sign_in', retryable: false },
  CLIENT_HTTP_FORBIDDEN: { step: 'http', retryable: false },
  CLIENT_HTTP_SESSION_LOST: { step: 'http', retryable: true },
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: { step: 'http', retryable: true },
  STDIO_COMMAND_NOT_FOUND: COMMAND,
  STDIO_NOT_EXECUTABLE: COMMAND,
  STDIO_FOLDER_NOT_FOUND: COMMAND,
  STDIO_SPAWN_FAILED: { step: 'command', retryable: true },
  STDIO_EXITED: { step: 'process', retryable: true },
};

/** Errors that only say that something beneath them failed. */
const WRAPPERS: ReadonlySet<SdkErrorCode> = new Set([
  'ERA_NEGOTIATION_FAILED',
  'CONNECTION_CLOSED',
  'SEND_FAILED',
]);
const MAX_CAUSES = 8;

function isWrapper(error: unknown): error is Error {
  return error instanceof SseError || (error instanceof SdkError && WRAPPERS.has(error.code));
}

/** The error that tells most: wrappers are followed to the error of this package beneath them. */
function innermost(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    if (!isWrapper(current)) return current;
    const { cause } = current;
    if (!(cause instanceof SdkError) && !isProtocolError(cause)) return current;
    current = cause;
  }
  return current;
}

function httpFailure(error: SdkHttpError): Described {
  const known = STEPS[error.code];
  if (known !== undefined) return known;
  const { status } = error;
  return { step: 'http', retryable: status >= 500 || status === 408 || status === 429 };
}

function describe(error: SdkError): Described & Partial<ClientFailure> {
  if (error instanceof SdkHttpError) {
    const { location, retryAfterMs } = error.data;
    const place = location === undefined ? {} : { location };
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { ...httpFailure(error), httpStatus: error.status, ...place, ...wait };
  }
  if (error.code === 'CLIENT_HTTP_NETWORK') {
    const { step, systemCode, host } = error.data as NetworkErrorData;
    return { step, host, retryable: true, ...(systemCode === undefined ? {} : { systemCode }) };
  }
  if (error.code === 'STDIO_EXITED') {
    return { step: 'process', retryable: true, ...(error.data as StdioExitData) };
  }
  const described = STEPS[error.code] ?? PROTOCOL;
  if (described.step !== 'command') return described;
  const { command, systemCode } = error.data as StdioSpawnData;
  return { ...described, command, ...(systemCode === undefined ? {} : { systemCode }) };
}

/** Failures of the sign-in after which the same may work later, as nothing was refused. */
const PASSING: ReadonlySet<string> = new Set([
  'network',
  'answer_timeout',
  'answer_unusable',
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
]);

function signInFailure(error: unknown): ClientFailure | undefined {
  if (error instanceof UnauthorizedError) {
    return { step: 'sign_in', code: 'UNAUTHORIZED', message: error.message, retryable: false };
  }
  if (!(error instanceof OAuthError) && !(error instanceof OAuthClientFlowError)) return undefined;
  const { code, message } = error;
  const partial = error instanceof InsufficientScopeError ? ({ partial: true } as const) : {};
  return { step: 'sign_in', code, message, retryable: PASSING.has(code), ...partial };
}

/** Takes any error of this package apart into what can be shown and decided on. Never throws. */
export function failureOf(error: unknown): ClientFailure {
  const inner = innermost(error);
  if (inner instanceof SdkError) {
    return { ...describe(inner), code: inner.code, message: inner.message };
  }
  if (isProtocolError(inner)) {
    return { ...PROTOCOL, code: String(inner.code), message: inner.message };
  }
  const signIn = signInFailure(inner);
  if (signIn !== undefined) return signIn;
  const message = inner instanceof Error ? inner.message : 'something unexpected failed';
  return { step: 'unknown', code: 'UNKNOWN', message, retryable: true };
}
