import { DEFAULT_REQUEST_TIMEOUT_MSEC, isProtocolError } from '@portico/rpc';
import type { Codec } from '@portico/spec';
import { SdkError } from './errors.ts';
import { shakeHands } from './handshake.ts';
import { adopt } from './opening.ts';
import type { OpenedConnection, OpeningContext } from './opening.ts';
import { judgeProbe } from './probe.ts';
import type { ProbeOutcome, ProbeVerdict } from './probe.ts';
import { describeDiscovered } from './server-description.ts';
import type { Wire } from './wire.ts';

function isTimeout(outcome: ProbeOutcome): boolean {
  return (
    outcome.type === 'failed' && outcome.error instanceof SdkError && outcome.error.code === 'REQUEST_TIMEOUT'
  );
}

async function probe(wire: Wire, codec: Codec, context: OpeningContext): Promise<ProbeOutcome> {
  wire.use(codec);
  const { options, probe: setting } = context;
  try {
    const answer = await wire.request('server/discover', undefined, {
      signal: options.signal,
      timeout: setting.timeoutMs ?? options.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC,
      // A server that does not know the question would not know its withdrawal either.
      cancelMode: wire.isPerRequest ? 'signal' : 'none',
    });
    return { type: 'answered', answer };
  } catch (error) {
    return { type: 'failed', error };
  }
}

async function judge(
  wire: Wire,
  context: OpeningContext,
  choice: { readonly codec: Codec; readonly legacyAllowed: boolean },
): Promise<ProbeVerdict> {
  let outcome = await probe(wire, choice.codec, context);
  for (let left = context.probe.maxRetries ?? 0; left > 0 && isTimeout(outcome); left--) {
    outcome = await probe(wire, choice.codec, context);
  }
  if (context.isLeaving()) throw closedMeanwhile(wire);
  return judgeProbe(outcome, { ...choice, overHttp: wire.isPerRequest, versions: context.versions });
}

function closedMeanwhile(wire: Wire): SdkError {
  return new SdkError('ERA_NEGOTIATION_FAILED', {
    message: 'the connection was closed while it was found out what the server speaks',
    cause: wire.endedBy,
  });
}

/** A process that ended on a question it did not know is started once more. */
async function wireForHandshake(wire: Wire, context: OpeningContext): Promise<Wire> {
  if (!wire.closed) return wire;
  const restartable = 'restartable' in wire.transport && wire.transport.restartable === true;
  if (!restartable) throw closedMeanwhile(wire);
  const again = context.createWire(wire.nextRequestId);
  await again.start();
  return again;
}

/** Whoever insists on a version is told the same whichever way the server says that it has another. */
function failure(error: Error, legacyAllowed: boolean): Error {
  const versionsDiffer =
    isProtocolError(error) || (error instanceof SdkError && error.code === 'UNSUPPORTED_PROTOCOL_VERSION');
  if (legacyAllowed || !versionsDiffer) return error;
  const { message, data } = error as SdkError;
  return new SdkError('ERA_NEGOTIATION_FAILED', { message, data, cause: error });
}

/**
 * Finds out what the server speaks, by asking it, and settles the revision.
 *
 * @throws as `openConnection`
 */
export async function openProbed(
  wire: Wire,
  context: OpeningContext,
  choice: { readonly codec: Codec; readonly legacyAllowed: boolean },
): Promise<OpenedConnection> {
  const { legacyAllowed } = choice;
  let verdict = await judge(wire, context, choice);
  if (verdict.type === 'ask_again') {
    verdict = await judge(wire, context, { codec: verdict.codec, legacyAllowed });
  }
  switch (verdict.type) {
    case 'failed':
      throw failure(verdict.error, legacyAllowed);
    case 'ask_again':
      throw failure(verdict.error, legacyAllowed);
    case 'legacy': {
      const shaken = await wireForHandshake(wire, context);
      return { wire: shaken, description: await shakeHands(shaken, context) };
    }
    case 'modern':
      return adopt(wire, verdict.codec, describeDiscovered(verdict.discover, verdict.codec));
  }
}
