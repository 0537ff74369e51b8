import type { Environment } from '../environment.ts';
import type { ServerSignIn, ServerSignInOptions } from './sign-in-parts.ts';
export type { ServerSignIn, SignInAccount } from './sign-in-parts.ts';
export function createServerSignIn(_options: ServerSignInOptions): ServerSignIn {
  return {
    state: { flow: 'none' },
    authProvider: { token: async () => undefined },
    authenticate: async () => undefined,
    prepare: async () => undefined,
    withdraw() {},
    clear() {},
    dispose() {},
  };
}
export function resolveCallbackUrl(_environment: Environment, given: string | undefined): string {
  return given ?? 'http://localhost/oauth/callback';
}
