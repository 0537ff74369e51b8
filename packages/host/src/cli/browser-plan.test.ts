import { describe, expect, it } from 'vitest';
import type { DesktopVariables } from '../environment.ts';
import { browserPlan } from './browser-plan.ts';

const address = 'file:///data/launch.html';
const none: DesktopVariables = { browser: undefined, hasDisplay: false, overSsh: false, inCi: false };
const plan = (platform: string, desktop: Partial<DesktopVariables> = {}) =>
  browserPlan({ platform, desktop: { ...none, ...desktop }, address });

describe('opening a browser', () => {
  it.each([
    ['darwin', {}, { command: 'open', args: [address] }],
    ['win32', {}, { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', address] }],
    ['linux', { hasDisplay: true }, { command: 'xdg-open', args: [address] }],
    ['freebsd', { hasDisplay: true }, { command: 'xdg-open', args: [address] }],
  ])('on %s with %o', (platform, desktop, expected) => {
    expect(plan(platform, desktop)).toEqual(expected);
  });

  it.each([
    ['linux', {}],
    ['linux', { hasDisplay: true, overSsh: true }],
    ['darwin', { overSsh: true }],
    ['win32', { inCi: true }],
    ['linux', { browser: 'firefox', inCi: true }],
    ['linux', { browser: 'firefox', overSsh: true }],
    ['darwin', { browser: 'none' }],
  ])('does nothing on %s with %o', (platform, desktop) => {
    expect(plan(platform, desktop)).toBeUndefined();
  });

  it.each([
    ['firefox', 'firefox', [address]],
    ['firefox --new-window %s:lynx', 'firefox', ['--new-window', address]],
    ['chromium --app=%s', 'chromium', [`--app=${address}`]],
    ['sh -c "evil"; %s', 'sh', ['-c', '"evil";', address]],
    ['C:\\browser.exe', 'C:\\browser.exe', [address]],
  ])('respects BROWSER=%s, as words and never through a shell', (browser, command, args) => {
    expect(plan('linux', { browser })).toEqual({ command, args });
  });
});
