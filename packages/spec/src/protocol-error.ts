import { ProtocolError as JsonRpcError } from '@portico/rpc';
import type { ClientCapabilities } from './capabilities.ts';
import type { ElicitRequestURLParams } from './elicitation.ts';
import {
  type MissingRequiredClientCapabilityErrorData,
  ProtocolErrorCode,
  type UnsupportedProtocolVersionErrorData,
  type WireError,
} from './protocol-errors.ts';

/**
 * An error that crosses the wire. Equal to the engine's class of that name for `instanceof`, and
 * knows the kinds that MCP gives a form of their own.
 */
export class ProtocolError extends JsonRpcError {
  static override readonly brand: string = JsonRpcError.brand;

  /**
   * The error of that number in its own class, where there is one and `data` fits it; a plain
   * {@link ProtocolError} otherwise. A missing resource is known by -32002 with `data.uri`, or by
   * -32602 whose data is exactly `{ uri }`: any other -32602 is about something else.
   */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    return typedError(code, message, data) ?? new ProtocolError(code, message, data);
  }
}

/** The error that the other side answered with, in its own class, and marked as received. */
export function receivedError({ code, message, data }: WireError): ProtocolError {
  return Object.assign(ProtocolError.fromError(code, message, data), { received: true } as const);
}

/** The resource that was to be read does not exist. Sent as -32602. */
export class ResourceNotFoundError extends ProtocolError {
  static override readonly brand: string = 'ResourceNotFoundError';

  constructor(uri: string, message: string = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  get uri(): string {
    return (this.data as { readonly uri: string }).uri;
  }
}

/** The server does not serve the revision (-32022). */
export class UnsupportedProtocolVersionError extends ProtocolError {
  static override readonly brand: string = 'UnsupportedProtocolVersionError';

  constructor(
    data: UnsupportedProtocolVersionErrorData,
    message: string = `Unsupported protocol version: ${data.requested}`,
  ) {
    super(ProtocolErrorCode.UnsupportedProtocolVersion, message, data);
  }

  /** Every revision the server serves. */
  get supported(): string[] {
    return (this.data as UnsupportedProtocolVersionErrorData).supported;
  }

  get requested(): string {
    return (this.data as UnsupportedProtocolVersionErrorData).requested;
  }
}

/** The client did not declare a capability that serving the request needs (-32021). */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  static override readonly brand: string = 'MissingRequiredClientCapabilityError';

  constructor(
    data: MissingRequiredClientCapabilityErrorData,
    message: string = `Missing required client capability: ${Object.keys(data.requiredCapabilities).join(', ')}`,
  ) {
    super(ProtocolErrorCode.MissingRequiredClientCapability, message, data);
  }

  /** Only what is missing. */
  get requiredCapabilities(): ClientCapabilities {
    return (this.data as MissingRequiredClientCapabilityErrorData).requiredCapabilities;
  }
}

/** The person has to open a page first (-32042, revision 2025-11-25 only). */
export class UrlElicitationRequiredError extends ProtocolError {
  static override readonly brand: string = 'UrlElicitationRequiredError';

  constructor(
    elicitations: ElicitRequestURLParams[],
    message: string = 'A page has to be opened before this can be done',
  ) {
    super(ProtocolErrorCode.UrlElicitationRequired, message, { elicitations });
  }

  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { readonly elicitations: ElicitRequestURLParams[] }).elicitations;
  }
}

type Details = Readonly<Record<string, unknown>>;

function typedError(code: number, message: string, data: unknown): ProtocolError | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const details = data as Details;
  switch (code) {
    case ProtocolErrorCode.InvalidParams:
      return Object.keys(details).length === 1 ? resourceNotFound(details, message) : undefined;
    case ProtocolErrorCode.ResourceNotFound:
      return resourceNotFound(details, message);
    case ProtocolErrorCode.UrlElicitationRequired:
      return urlElicitationRequired(details, message);
    case ProtocolErrorCode.UnsupportedProtocolVersion:
      return unsupportedVersion(details, message);
    case ProtocolErrorCode.MissingRequiredClientCapability:
      return missingCapability(details, message);
    default:
      return undefined;
  }
}

function resourceNotFound({ uri }: Details, message: string): ProtocolError | undefined {
  return typeof uri === 'string' ? new ResourceNotFoundError(uri, message) : undefined;
}

function urlElicitationRequired({ elicitations }: Details, message: string): ProtocolError | undefined {
  if (!Array.isArray(elicitations)) return undefined;
  return new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message);
}

function unsupportedVersion({ supported, requested }: Details, message: string): ProtocolError | undefined {
  const fits =
    Array.isArray(supported) &&
    supported.every((version) => typeof version === 'string') &&
    typeof requested === 'string';
  return fits ? new UnsupportedProtocolVersionError({ supported, requested }, message) : undefined;
}

function missingCapability({ requiredCapabilities }: Details, message: string): ProtocolError | undefined {
  const fits =
    typeof requiredCapabilities === 'object' &&
    requiredCapabilities !== null &&
    !Array.isArray(requiredCapabilities);
  return fits ? new MissingRequiredClientCapabilityError({ requiredCapabilities }, message) : undefined;
}
