import type { Codec } from '../codec.ts';
import { lookUp } from '../methods.ts';
import { withEnvelope } from './envelope.ts';
import { METHODS_2026_07_28 } from './methods.ts';
import { decodeModernResult, modernServerInfo } from './results.ts';
import { standardHeaders } from './standard-headers.ts';

const VERSION = '2026-07-28';

/** Revision 2026-07-28: stateless, each request with its own envelope. */
export const codec20260728: Codec = {
  version: VERSION,
  era: 'modern',
  acceptsBatches: false,
  hasHandshake: false,
  serverMayRequest: false,
  httpCancel: 'signal',
  takesEmptyEvents: false,
  method: (name) => lookUp(METHODS_2026_07_28, name),
  encodeParams: withEnvelope,
  decodeResult: decodeModernResult,
  headersFor: (message) => standardHeaders(VERSION, message),
  serverInfoOf: modernServerInfo,
};
