import { describe, expect, it } from 'vitest';
import { getOAuthProtectedResourceMetadataUrl as theirs } from '@modelcontextprotocol/server';
import {
  type AuthMetadataOptions,
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
} from './metadata.ts';

const options = (issuer: string, more: Partial<AuthMetadataOptions> = {}): AuthMetadataOptions => ({
  oauthMetadata: {
    issuer,
    authorization_endpoint: `${issuer}authorize`,
    token_endpoint: `${issuer}token`,
    response_types_supported: ['code'],
  },
  resourceServerUrl: new URL('https://mcp.example/mcp'),
  ...more,
});

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return 'fine';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('the document of a resource', () => {
  it.each([
    ['https://mcp.example', 'https://mcp.example/.well-known/oauth-protected-resource'],
    ['https://mcp.example/', 'https://mcp.example/.well-known/oauth-protected-resource'],
    ['https://mcp.example/mcp', 'https://mcp.example/.well-known/oauth-protected-resource/mcp'],
    ['https://mcp.example/mcp/', 'https://mcp.example/.well-known/oauth-protected-resource/mcp'],
    ['https://mcp.example:1/a/b?x=1', 'https://mcp.example:1/.well-known/oauth-protected-resource/a/b?x=1'],
  ])('W228 of %s is at %s', (resource, document) => {
    expect(getOAuthProtectedResourceMetadataUrl(new URL(resource))).toBe(document);
    expect(theirs(new URL(resource))).toBe(document);
  });

  it.each([
    ['https://as.example/', 'fine'],
    ['https://as.example/tenant', 'fine'],
    ['http://localhost:3000/', 'fine'],
    ['http://127.0.0.1:3000/', 'fine'],
    ['http://[::1]:3000/', 'fine'],
    ['http://as.example/', 'issuer_insecure'],
    ['https://as.example/#x', 'issuer_malformed'],
    ['https://as.example/?x', 'issuer_malformed'],
    ['as.example', 'issuer_malformed'],
  ])('W228 with the issuer %s is %s', (issuer, outcome) => {
    expect(codeOf(() => buildOAuthProtectedResourceMetadata(options(issuer)))).toBe(outcome);
  });

  it('takes an insecure issuer only when told so, and no resource with a fragment', () => {
    const insecure = options('http://as.example/', { dangerouslyAllowInsecureIssuerUrl: true });
    expect(codeOf(() => buildOAuthProtectedResourceMetadata(insecure))).toBe('fine');
    const fragment = options('https://as.example/', { resourceServerUrl: new URL('https://a.example/#x') });
    expect(codeOf(() => buildOAuthProtectedResourceMetadata(fragment))).toBe('resource_malformed');
  });

  it('W228 names one authorization server at least, and proofs of possession where they are asked for', () => {
    expect(buildOAuthProtectedResourceMetadata(options('https://as.example/'))).toEqual({
      resource: 'https://mcp.example/mcp',
      authorization_servers: ['https://as.example/'],
    });
    const dpop = { algorithms: ['ES256'], required: true };
    expect(buildOAuthProtectedResourceMetadata(options('https://as.example/', { dpop }))).toMatchObject({
      dpop_signing_alg_values_supported: ['ES256'],
      dpop_bound_access_tokens_required: true,
    });
  });

  it('leaves other paths alone, even where the issuer is wrong', () => {
    const wrong = options('http://as.example/');
    const answer = (path: string): Response | undefined =>
      oauthMetadataResponse(new Request(`https://mcp.example${path}`), wrong);
    expect(answer('/mcp')).toBeUndefined();
    expect(answer('/.well-known/oauth-protected-resource')).toBeUndefined();
    expect(answer('/.well-known/oauth-protected-resource/mcp/deeper')).toBeUndefined();
    expect(codeOf(() => answer('/.well-known/oauth-protected-resource/mcp'))).toBe('issuer_insecure');
  });
});
