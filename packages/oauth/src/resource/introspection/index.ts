export { createIntrospectionVerifier } from './introspection-verifier.ts';
export type { IntrospectionVerifierOptions } from './introspection-verifier.ts';
