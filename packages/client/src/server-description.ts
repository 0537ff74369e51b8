import { isImplementation, isRecord } from '@portico/spec';
import type {
  Codec,
  DecodedResult,
  DiscoverResult,
  Implementation,
  InitializeResult,
  Result,
  ServerCapabilities,
} from '@portico/spec';
import { SdkError } from './errors.ts';

/** What a server says about itself, in either era. */
export interface ServerDescription {
  /** Unknown for a session that was taken over without a handshake; nothing is held back then. */
  readonly capabilities?: ServerCapabilities;
  readonly serverInfo?: Implementation;
  readonly instructions?: string;
  readonly discover?: DiscoverResult;
}

/** Longest instructions that are kept, characters; the rest is cut off. */
const MAX_INSTRUCTIONS = 65_536;

function instructionsOf(result: Result): { instructions?: string } {
  const { instructions } = result;
  return typeof instructions === 'string' ? { instructions: instructions.slice(0, MAX_INSTRUCTIONS) } : {};
}

/** A missing or crooked name must not keep anybody from a server that works. */
function implementationOf(value: unknown): Implementation {
  return isImplementation(value) ? value : { name: 'unnamed server', version: '' };
}

/** @throws SdkError `INVALID_RESULT` when the answer to `initialize` cannot be used */
export function describeInitialized(answer: DecodedResult): InitializeResult {
  const result = answer.kind === 'complete' ? answer.result : {};
  const { protocolVersion, capabilities, serverInfo } = result;
  if (typeof protocolVersion !== 'string') {
    const message = 'the answer to the handshake names no protocol version';
    throw new SdkError('INVALID_RESULT', { message });
  }
  return {
    protocolVersion,
    capabilities: isRecord(capabilities) ? capabilities : {},
    serverInfo: implementationOf(serverInfo),
    ...instructionsOf(result),
  };
}

/** What a server said of itself, or nothing when the value is something else. */
export function readDescription(value: unknown): DiscoverResult | undefined {
  if (!isRecord(value)) return undefined;
  const { supportedVersions, capabilities } = value;
  if (!Array.isArray(supportedVersions) || !isRecord(capabilities)) return undefined;
  return { ...value, supportedVersions: supportedVersions.map(String), capabilities };
}

/** The answer to `server/discover`, or nothing when it is some other answer. */
export function readDiscovered(answer: DecodedResult): DiscoverResult | undefined {
  return answer.kind === 'complete' ? readDescription(answer.result) : undefined;
}

export function describeDiscovered(discover: DiscoverResult, codec: Codec): ServerDescription {
  const serverInfo = codec.serverInfoOf(discover);
  return {
    capabilities: discover.capabilities,
    ...(serverInfo === undefined ? {} : { serverInfo }),
    ...instructionsOf(discover),
    discover,
  };
}
