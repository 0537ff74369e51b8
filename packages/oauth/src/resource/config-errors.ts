/** What `data` holds for each code. */
export interface ResourceConfigErrorData {
  issuer_insecure: { issuer: string };
  issuer_malformed: { issuer: string; part: 'fragment' | 'query' | 'address' };
  resource_malformed: { resource: string };
  scope_malformed: { place: string };
  challenge_malformed: { reason: string };
  algorithm_refused: { algorithm: string };
  keys_address_refused: { url: string };
  endpoint_refused: { url: string };
  option_missing: { option: string };
}

export type ResourceConfigErrorCode = keyof ResourceConfigErrorData;

/** What is wrong with how a resource was set up, by code. */
export const RESOURCE_CONFIG_ERRORS: Readonly<Record<ResourceConfigErrorCode, string>> = {
  issuer_insecure: 'The issuer must be an https address.',
  issuer_malformed: 'The issuer must be an address without query and fragment.',
  resource_malformed: 'The address of the resource must be http or https and have no fragment.',
  scope_malformed: 'A scope is one word of printable ASCII without quotes and backslashes.',
  challenge_malformed: 'A scope challenge needs scopes, and a description of plain text if any.',
  algorithm_refused: 'Tokens are verified by public keys only; this algorithm is none of those.',
  keys_address_refused: 'Keys are fetched by https only, or from this machine.',
  endpoint_refused: 'Tokens are sent by https only, or within this machine.',
  option_missing: 'An option that is needed was not given.',
};

/**
 * A resource that was set up wrongly: thrown where it is set up, never for what a request holds. A
 * `TypeError`, since that is what callers of the official functions expect.
 */
export class ResourceConfigError<
  Code extends ResourceConfigErrorCode = ResourceConfigErrorCode,
> extends TypeError {
  readonly code: Code;
  readonly data: ResourceConfigErrorData[Code];

  constructor(code: Code, data: ResourceConfigErrorData[Code]) {
    super(RESOURCE_CONFIG_ERRORS[code]);
    this.name = 'ResourceConfigError';
    this.code = code;
    this.data = data;
  }
}
