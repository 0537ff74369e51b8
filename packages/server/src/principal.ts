import { type AuthInfo, sha256 } from '@portico/oauth/resource';

/**
 * Who is behind a token: issuer, subject and client together, since subjects are an issuer's own and
 * one person's clients are strangers to each other. Undefined for a token that names neither subject
 * nor client.
 */
function principalOf(authInfo: AuthInfo | undefined): string | undefined {
  if (authInfo === undefined) return undefined;
  const { clientId, extra } = authInfo;
  const names = [extra?.['iss'], extra?.['sub'], clientId].map((name) =>
    typeof name === 'string' && name !== '' ? name : null,
  );
  const [, subject, client] = names;
  return subject === null && client === null ? undefined : JSON.stringify(names);
}

/** The same for what lives and ends in memory: a token without names stands for itself. */
export function sessionPrincipal(authInfo: AuthInfo | undefined): string | undefined {
  return principalOf(authInfo) ?? (authInfo === undefined ? undefined : `token ${authInfo.token}`);
}

/** The same for what is stored: of a token without names only a digest is kept. */
export function storedPrincipal(
  authInfo: AuthInfo | undefined,
): string | undefined | Promise<string | undefined> {
  const named = principalOf(authInfo);
  if (named !== undefined || authInfo === undefined) return named;
  return sha256(authInfo.token).then((digest) => `token ${digest}`);
}
