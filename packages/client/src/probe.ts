import { isProtocolError } from '@portico/rpc';
import type { ProtocolError } from '@portico/rpc';
import { ProtocolErrorCode, UnsupportedProtocolVersionError, isModernErrorCode } from '@portico/spec';
import type { Codec, DecodedResult, DiscoverResult } from '@portico/spec';
import { sharedCodec } from './codecs.ts';
import type { SpokenVersions } from './codecs.ts';
import { SdkError, SdkHttpError } from './errors.ts';
import type { NetworkErrorData, SdkErrorCode } from './errors.ts';
import { isKept } from './kept-error.ts';
import { readDiscovered } from './server-description.ts';

/** What a probe ended with. */
export type ProbeOutcome =
  | { readonly type: 'answered'; readonly answer: DecodedResult }
  | { readonly type: 'failed'; readonly error: unknown };

/** What follows from it. */
export type ProbeVerdict =
  | { readonly type: 'modern'; readonly codec: Codec; readonly discover: DiscoverResult }
  /** Modern, but at another revision: ask again in that one. */
  | { readonly type: 'ask_again'; readonly codec: Codec; readonly error: Error }
  | { readonly type: 'legacy' }
  | { readonly type: 'failed'; readonly error: Error };

/** How the probe was made. */
export interface ProbeSetting {
  /** The revision the probe was written in. */
  readonly codec: Codec;
  /** Over HTTP silence says nothing about the era; on a pipe it is what an old server does. */
  readonly overHttp: boolean;
  /** Whether the revisions with a handshake may be used. */
  readonly legacyAllowed: boolean;
  readonly versions: SpokenVersions;
}

function noneShared(setting: ProbeSetting, supported: readonly unknown[]): ProbeVerdict {
  const data = { requested: setting.codec.version, supported: supported.map(String) };
  const message = `the server speaks ${data.supported.join(', ') || 'no version it names'}, none of them is spoken here`;
  return { type: 'failed', error: new SdkError('UNSUPPORTED_PROTOCOL_VERSION', { message, data }) };
}

function undecided(error: unknown, message?: string): ProbeVerdict {
  const options = message === undefined ? { cause: error } : { cause: error, message };
  return { type: 'failed', error: new SdkError('ERA_NEGOTIATION_FAILED', options) };
}

function asLegacy(setting: ProbeSetting, error: unknown): ProbeVerdict {
  if (setting.legacyAllowed) return { type: 'legacy' };
  return undecided(error, 'the server does not speak the protocol version that was asked for');
}

/** A version that was insisted on is the only one. */
function allowed({ legacyAllowed, codec, versions }: ProbeSetting): readonly Codec[] {
  return legacyAllowed ? versions.stateless : [codec];
}

function judgeAnswer(answer: DecodedResult, setting: ProbeSetting): ProbeVerdict {
  const discover = readDiscovered(answer);
  // Old servers that do not mind unknown methods answer with whatever they think of.
  if (discover === undefined) return asLegacy(setting, undefined);
  const modern = sharedCodec(allowed(setting), discover.supportedVersions);
  if (modern !== undefined) return { type: 'modern', codec: modern, discover };
  const legacy = sharedCodec(setting.versions.handshake, discover.supportedVersions);
  if (legacy !== undefined && setting.legacyAllowed) return { type: 'legacy' };
  return noneShared(setting, discover.supportedVersions);
}

/** A refusal that only modern servers give: the server is modern, whatever else is wrong. */
function judgeModernError(error: ProtocolError, setting: ProbeSetting): ProbeVerdict {
  if (error.code !== ProtocolErrorCode.UnsupportedProtocolVersion) {
    return undecided(error, 'the server is modern but refuses how this client asks');
  }
  const data = error.data as { supported?: unknown } | null | undefined;
  const supported: readonly unknown[] = Array.isArray(data?.supported) ? data.supported : [];
  const modern = sharedCodec(allowed(setting), supported);
  const refusal = new UnsupportedProtocolVersionError(
    { supported: supported.map(String), requested: setting.codec.version },
    error.message,
  );
  if (modern !== undefined) return { type: 'ask_again', codec: modern, error: refusal };
  return { type: 'failed', error: refusal };
}

function judgeHttpError(error: SdkHttpError, setting: ProbeSetting): ProbeVerdict {
  const { status } = error;
  // Who is asked to sign in first learns nothing about the era.
  if (status === 401 || status === 403) return { type: 'failed', error };
  return status >= 400 && status < 500 ? asLegacy(setting, error) : undecided(error);
}

/** Browsers hide why a request failed; a server that refuses the new headers looks just like that. */
function isOpaque(error: SdkError): boolean {
  const { step, systemCode } = error.data as NetworkErrorData;
  return step === 'unknown' && systemCode === undefined && error.cause instanceof TypeError;
}

/** Silence, or an end, which on a pipe is how old servers react to a question they do not know. */
const SILENT: ReadonlySet<SdkErrorCode> = new Set(['REQUEST_TIMEOUT', 'CONNECTION_CLOSED']);

/** Answers that no modern server would give. */
const FOREIGN: ReadonlySet<SdkErrorCode> = new Set(['CLIENT_HTTP_UNEXPECTED_CONTENT', 'INVALID_MESSAGE']);

function judgeLocalError(error: SdkError, setting: ProbeSetting): ProbeVerdict {
  const { code } = error;
  if (SILENT.has(code) && !setting.overHttp) return asLegacy(setting, error);
  if (FOREIGN.has(code)) return asLegacy(setting, error);
  if (code === 'CONNECTION_CLOSED') return undecided(error, error.message);
  if (code === 'SEND_FAILED') return undecided(error.cause ?? error);
  if (code !== 'CLIENT_HTTP_NETWORK') return { type: 'failed', error };
  return isOpaque(error) ? asLegacy(setting, error) : undecided(error, error.message);
}

/**
 * Decides from the outcome of `server/discover` which era a server speaks, by the signals that the
 * pages on versioning, stdio and streamable HTTP of 2026-07-28 name.
 */
export function judgeProbe(outcome: ProbeOutcome, setting: ProbeSetting): ProbeVerdict {
  if (outcome.type === 'answered') return judgeAnswer(outcome.answer, setting);
  const { error } = outcome;
  if (isProtocolError(error)) {
    return isModernErrorCode(error.code) ? judgeModernError(error, setting) : asLegacy(setting, error);
  }
  if (error instanceof SdkHttpError) return judgeHttpError(error, setting);
  if (error instanceof SdkError) return judgeLocalError(error, setting);
  // Whoever has to sign in first is told so, and nothing of the era.
  return isKept(error) ? { type: 'failed', error } : undecided(error);
}
