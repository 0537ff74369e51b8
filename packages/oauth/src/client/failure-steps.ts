import { OAuthError } from '../errors.ts';
import { OAuthClientFlowError } from '../flow-errors.ts';
import type { AuthorizationEvent } from '../steps.ts';
import { observe, shownUrl } from './requests.ts';
import type { AuthorizationHttp } from './requests.ts';

/** What of an error's data is told; addresses in it without their queries. */
const TOLD = [
  'url',
  'tokenEndpoint',
  'reason',
  'kind',
  'expected',
  'received',
  'recordedIssuer',
  'currentIssuer',
  'issuer',
  'member',
  'limitBytes',
  'timeoutMs',
] as const;

/** Most causes of an error that are looked through. */
const MAX_DEPTH = 8;

/** A sign-in whose observer hears of its failure, whoever notices it. */
export interface WatchedSignIn<Options extends AuthorizationHttp> {
  readonly options: Options;
  /** Tells at which step an error ended the sign-in, unless that step was told to have failed already. */
  tellFailure(error: unknown): void;
}

export function watchFailures<Options extends AuthorizationHttp>(options: Options): WatchedSignIn<Options> {
  if (options.observer === undefined) return { options, tellFailure: () => undefined };
  let last: AuthorizationEvent | undefined;
  const observer = (event: AuthorizationEvent): void => {
    last = event;
    options.observer?.(event);
  };
  return {
    options: { ...options, observer },
    tellFailure(error) {
      if (last?.outcome === 'failed' || last?.outcome === 'refused') return;
      const own = error instanceof OAuthClientFlowError ? error.step : undefined;
      const step = own ?? last?.step ?? 'challenge';
      observe(options, { step, outcome: 'failed', detail: failureDetail(error) });
    },
  };
}

/** What an error says of itself that may be shown. */
export function failureDetail(error: unknown): NonNullable<AuthorizationEvent['detail']> {
  if (error instanceof OAuthError) return { code: error.code };
  if (!(error instanceof OAuthClientFlowError)) return { reason: 'something outside of the sign-in failed' };
  const data: object = error.data ?? {};
  const told: Record<string, string | number> = {};
  for (const name of TOLD) {
    const value: unknown = Reflect.get(data, name);
    if (typeof value === 'number') told[name] = value;
    else if (typeof value === 'string') told[name] = withoutQuery(value);
  }
  return { code: error.code, ...told, ...systemCode(error) };
}

/** What the platform calls the trouble, such as ECONNREFUSED or the name of what is wrong with a certificate. */
function systemCode(error: Error): { readonly cause?: string } {
  let at: unknown = error.cause;
  for (let depth = 0; at instanceof Error && depth < MAX_DEPTH; at = at.cause, depth++) {
    const code: unknown = Reflect.get(at, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return { cause: code };
  }
  return {};
}

function withoutQuery(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? shownUrl(new URL(text)) : text;
}
