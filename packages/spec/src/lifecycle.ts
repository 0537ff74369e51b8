import type { CacheableResult, Implementation, RequestParams, Result } from './base.ts';
import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts';

/** Legacy handshake. */
export interface InitializeRequestParams extends RequestParams {
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

/** Legacy handshake. */
export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  /** For the model: how to use this server. */
  instructions?: string;
}

/** Modern: what a server offers, asked without any handshake. Its identity is in `_meta`. */
export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

/** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
export type LoggingLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

/** @deprecated The specification deprecates logging over the protocol; it works unchanged. */
export interface LoggingMessageNotificationParams {
  _meta?: { [key: string]: unknown };
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}
