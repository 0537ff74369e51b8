import type { CacheScope, Implementation, MetaObject, RequestId, Result } from './base.ts';
import type { ClientCapabilities } from './capabilities.ts';
import type { InputRequiredResult } from './input-required.ts';
import type { LoggingLevel } from './lifecycle.ts';
import type { MethodRule } from './methods.ts';
import type { WireError } from './protocol-errors.ts';
import type { TaskHandleResult } from './tasks.ts';
import type { ProtocolEra } from './versions.ts';

/** What a modern request says about its sender. Legacy requests say nothing: the session does. */
export interface RequestEnvelope {
  protocolVersion: string;
  clientCapabilities: ClientCapabilities;
  clientInfo?: Implementation;
  logLevel?: LoggingLevel;
}

/** A request as a handler should see it. */
export interface DecodedRequest {
  /** Params without the envelope's own `_meta` keys; other keys are untouched. */
  params: { [key: string]: unknown } | undefined;
  /** Undefined in the legacy era. */
  envelope: RequestEnvelope | undefined;
}

export type DecodeRequestOutcome = { ok: true; request: DecodedRequest } | { ok: false; error: WireError };

/** How a result reads once its `resultType` has been looked at. */
export type DecodedResult =
  | { kind: 'complete'; result: Result }
  | { kind: 'input_required'; result: InputRequiredResult }
  /** Means something only to who declared the tasks extension. */
  | { kind: 'task'; result: TaskHandleResult }
  | { kind: 'unsupported'; resultType: unknown }
  | { kind: 'invalid'; resultType?: string };

/** What a server adds to its results. */
export interface ResultStamp {
  /** Modern: put into `_meta` unless the handler set one. */
  serverInfo?: Implementation;
  /** Modern: default cache hints for the cacheable methods, unless the handler set its own. */
  ttlMs?: number;
  cacheScope?: CacheScope;
  /** Modern: the subscription that a listen stream's messages belong to. */
  subscriptionId?: RequestId;
}

/** A JSON-RPC request or notification, as far as headers look at it. */
export interface HeaderSource {
  method: string;
  id?: RequestId;
  params?: { readonly [key: string]: unknown } | undefined;
}

/** Reads one header by its name, whatever the case; null or undefined when it is missing. */
export type HeaderReader = (name: string) => string | null | undefined;

/**
 * One revision of the protocol, seen from the wire. Everything that differs between revisions is
 * asked of a codec, so that no code elsewhere compares versions. Codecs hold no state, do no I/O
 * and never change what they are given.
 */
export interface Codec {
  readonly version: string;
  readonly era: ProtocolEra;
  /** Whether JSON-RPC arrays may be received. */
  readonly acceptsBatches: boolean;
  /** Whether a conversation starts with `initialize`. */
  readonly hasHandshake: boolean;
  /** Whether a server may write requests of its own to the client. */
  readonly serverMayRequest: boolean;
  /** How a request over HTTP is given up: by a message, or by ending its response stream. */
  readonly httpCancel: 'notice' | 'signal';
  /** Whether clients take an event without a message, which tells them where to resume from. */
  readonly takesEmptyEvents: boolean;
  /** The rule of a method in this revision; undefined for methods of other revisions and vendors. */
  method(name: string): MethodRule | undefined;
  /** Params of an outgoing client request: the modern era adds the envelope to `_meta`. */
  encodeParams(params: object | undefined, envelope: RequestEnvelope): { [key: string]: unknown } | undefined;
  /** A received result, its `resultType` looked at and taken off. */
  decodeResult(method: string, result: unknown): DecodedResult;
  /** HTTP headers that repeat parts of the message. */
  headersFor(message: HeaderSource): Record<string, string>;
  /** The server's identity in a result, when it is well formed. */
  serverInfoOf(result: { _meta?: MetaObject }): Implementation | undefined;
}

/** A revision as servers need it: beside what every side asks, how requests are read and answered. */
export interface ServerCodec extends Codec {
  /** Reads an incoming client request; fails when its envelope is missing or malformed. */
  decodeRequest(params: object | undefined): DecodeRequestOutcome;
  /** A handler's result as this revision writes it. */
  encodeResult(method: string, result: object, stamp?: ResultStamp): Result;
  /** Params of an outgoing notification: stamped with its subscription in the modern era. */
  encodeNotification(
    params: object | undefined,
    subscriptionId?: RequestId,
  ): { [key: string]: unknown } | undefined;
  /** Checks the headers of `headersFor` against the body. Undefined when they fit. */
  checkHeaders(read: HeaderReader, message: HeaderSource): WireError | undefined;
}
