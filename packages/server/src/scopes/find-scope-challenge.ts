import type { JSONRPCRequest } from '@portico/rpc';
import {
  type AuthInfo,
  challengeAnswer,
  getOAuthProtectedResourceMetadataUrl,
  isScopeToken,
  OAuthError,
  OAuthErrorCode,
  ResourceConfigError,
} from '@portico/oauth/resource';
import type { HttpAnswer } from '../http/http-message.ts';
import type { ScopeChallenge, ScopeChallengeHandler } from './scope-challenge.ts';

/** Everybody who may have a say about the scopes of a request. */
export type ScopeHandlers = readonly (ScopeChallengeHandler | undefined)[];

/**
 * The 403 that a request gets whose token grants too few scopes: with all that the first such request
 * needs, whoever asks for it. Undefined at once when nobody objects.
 *
 * @throws what a handler throws; ResourceConfigError `challenge_malformed`
 */
export function findScopeRefusal(
  requests: readonly JSONRPCRequest[],
  authInfo: AuthInfo | undefined,
  handlers: ScopeHandlers,
): HttpAnswer | undefined | Promise<HttpAnswer | undefined> {
  for (const [index, request] of requests.entries()) {
    const context = authInfo === undefined ? { request } : { request, authInfo };
    const said = handlers.map((handler) => handler?.(context));
    if (said.every((each) => each === undefined)) continue;
    return settled(said, authInfo).then(
      (refusal) => refusal ?? findScopeRefusal(requests.slice(index + 1), authInfo, handlers),
    );
  }
  return undefined;
}

async function settled(
  said: readonly (ScopeChallenge | undefined | Promise<ScopeChallenge | undefined>)[],
  authInfo: AuthInfo | undefined,
): Promise<HttpAnswer | undefined> {
  const all = await Promise.all(said.map(async (each) => await each));
  const challenges = all.filter((challenge) => challenge !== undefined);
  for (const challenge of challenges) assertChallenge(challenge);
  return challenges.length === 0 ? undefined : refusalOf(challenges, authInfo);
}

function refusalOf(challenges: readonly ScopeChallenge[], authInfo: AuthInfo | undefined): HttpAnswer {
  const described = challenges.find(({ errorDescription }) => errorDescription !== undefined);
  const text = described?.errorDescription ?? 'The operation needs more scopes than the token grants.';
  const { status, headers, body } = challengeAnswer(new OAuthError(OAuthErrorCode.InsufficientScope, text), {
    requiredScopes: [...new Set(challenges.flatMap(({ scopes }) => scopes))],
    resourceMetadataUrl: documentUrl(authInfo),
  });
  return { status, headers, body };
}

/** What the gate says, else where the document of the token's resource would be. */
function documentUrl(authInfo: AuthInfo | undefined): string | undefined {
  const { resourceMetadataUrl, resource } = authInfo ?? {};
  if (resourceMetadataUrl !== undefined || resource === undefined) return resourceMetadataUrl;
  const isWeb = resource.protocol === 'https:' || resource.protocol === 'http:';
  return isWeb ? getOAuthProtectedResourceMetadataUrl(resource) : undefined;
}

/** Challenges are made by hand, too. */
function assertChallenge({ scopes, errorDescription }: ScopeChallenge): void {
  const reason =
    !Array.isArray(scopes) || scopes.length === 0 || !scopes.every((scope) => isScopeToken(scope))
      ? 'scopes'
      : errorDescription !== undefined &&
          !/^[\u0020\u0021\u0023-\u005B\u005D-\u007E]+$/.test(errorDescription)
        ? 'errorDescription'
        : undefined;
  if (reason !== undefined) throw new ResourceConfigError('challenge_malformed', { reason });
}
