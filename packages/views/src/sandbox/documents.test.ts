import { describe, expect, it } from 'vitest';
import { PROFILES } from '../profiles.ts';
import { viewContentSecurityPolicy } from './content-security-policy.ts';
import { proxyDocument, sandboxFallbackHeaders, viewAllow, viewDocument } from './documents.ts';

const SHELL = 'http://portico.localhost:6874';
const policyOf = (csp: object, profile = PROFILES.open) =>
  viewContentSecurityPolicy(csp, { shellOrigin: SHELL, profile });
const PROXY = {
  shellOrigin: SHELL,
  appPath: '/view/abc/app',
  script: 'run()',
  nonce: 'a'.repeat(24),
  allow: '',
};

describe('the policy of a view', () => {
  it('lets an undeclared view reach nothing', () => {
    expect(policyOf({}).header).toBe(
      [
        "default-src 'none'",
        "script-src 'unsafe-inline' 'unsafe-eval' blob: data:",
        "style-src 'unsafe-inline' blob: data:",
        'img-src data: blob:',
        'font-src data: blob:',
        'media-src data: blob:',
        'worker-src blob: data:',
        'connect-src data: blob:',
        "frame-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
        `frame-ancestors 'self' ${SHELL}`,
      ].join('; '),
    );
  });

  it('puts each declared origin into its directives', () => {
    const { header, granted, refusals } = policyOf({
      connectDomains: ['https://api.example', 'wss://*.live.example:8443'],
      resourceDomains: ['https://cdn.example'],
      frameDomains: ['https://site.example:*'],
      baseUriDomains: ['https://base.example'],
    });
    expect(header).toContain('connect-src data: blob: https://api.example wss://*.live.example:8443;');
    expect(header).toContain("script-src 'unsafe-inline' 'unsafe-eval' blob: data: https://cdn.example;");
    expect(header).toContain('frame-src https://site.example:*;');
    expect(header).toContain('base-uri https://base.example;');
    expect(granted.frameDomains).toEqual(['https://site.example:*']);
    expect(refusals).toEqual([]);
  });

  it.each([
    'https://a.example/',
    'https://a.example/path',
    'https://a.example; script-src *',
    'https://a.example\r\nx: y',
    'https://a.example, https://b.example',
    'https://ä.example',
    '*',
    'https:',
    'https://*.com',
    "'self'",
    'javascript://a.example',
    'https://user@a.example',
    'http://portico.localhost:6874',
    'https://portico.localhost',
    'http://localhost:6874',
    'http://127.0.0.1:6874',
    'http://abc.localhost:*',
    '',
  ])('leaves out %j, says why, and keeps its neighbours', (entry) => {
    const { granted, refusals } = policyOf({
      connectDomains: ['https://good.example', entry, 'https://xn--4ca.example'],
    });
    expect(granted.connectDomains).toEqual(['https://good.example', 'https://xn--4ca.example']);
    expect(refusals).toMatchObject([{ ruleId: 'apps-P8' }]);
  });

  it('leaves plain http to the open profile', () => {
    const csp = { connectDomains: ['http://localhost:3000', 'ws://localhost:3000'] };
    expect(policyOf(csp).granted.connectDomains).toEqual(csp.connectDomains);
    expect(policyOf(csp, PROFILES.claude).granted.connectDomains).toEqual([]);
  });

  it('bounds how many entries a list has', () => {
    const list = Array.from({ length: 70 }, (_item, index) => `https://h${index}.example`);
    const { granted, refusals } = policyOf({ resourceDomains: list });
    expect([granted.resourceDomains.length, refusals.length]).toEqual([64, 6]);
  });
});

describe('sandbox documents', () => {
  it('runs one script under a policy that allows nothing else', () => {
    const { body, headers } = proxyDocument({ ...PROXY, allow: 'camera; geolocation' });
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'nonce-${PROXY.nonce}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${SHELL}`,
    );
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body).toContain('data-app="/view/abc/app"');
    expect(body).toContain('data-allow="camera; geolocation"');
  });

  it.each([
    { appPath: '/view/"x' },
    { appPath: 'https://evil.example' },
    { nonce: 'short' },
    { nonce: `${'a'.repeat(20)}' *` },
    { allow: 'camera "x' },
    { shellOrigin: "http://a.example; script-src 'unsafe-inline'" },
    { shellOrigin: '*' },
    { script: 'x</script>' },
  ])('refuses %j', (change) => {
    expect(() => proxyDocument({ ...PROXY, ...change })).toThrow(
      expect.objectContaining({ code: 'unsafe_value' }),
    );
  });

  it('serves the view unchanged under its own policy', () => {
    const html = '<!--<head>--><script>x</script>';
    const document = viewDocument({
      shellOrigin: SHELL,
      resource: { uri: 'ui://a', html, csp: { connectDomains: ['https://api.example'] }, permissions: {} },
    });
    expect(document.body).toBe(html);
    expect(document.headers['content-security-policy']).toContain(
      'connect-src data: blob: https://api.example',
    );
    expect(document.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('grants features by name', () => {
    expect(viewAllow({ camera: {}, clipboardWrite: {} })).toBe('camera; clipboard-write');
    expect(viewAllow({})).toBe('');
  });

  it('gives every other answer a policy without scripts', () => {
    expect(sandboxFallbackHeaders()['content-security-policy']).toMatch(/^default-src 'none'; sandbox/);
  });
});
