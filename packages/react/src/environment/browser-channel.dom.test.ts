import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBrowserEnvironment } from './browser-environment.ts';

const withheld = (): never => {
  throw new DOMException('withheld', 'SecurityError');
};

/** A page as the browser may leave it; each part is there unless it is taken away. */
function createPage({ broadcast = true, storage = true, host = 'localhost' }) {
  const warnings: string[] = [];
  if (!broadcast) vi.stubGlobal('BroadcastChannel', undefined);
  if (!storage) vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(withheld);
  if (host !== 'localhost')
    vi.spyOn(window, 'location', 'get').mockReturnValue(new URL(`https://${host}/`) as never);
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  return { environment: createBrowserEnvironment(), warnings };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a page that no other tab can tell anything', () => {
  it('R56 R166 says so once while it is made, and goes on alone', () => {
    const { environment, warnings } = createPage({ broadcast: false, storage: false });
    expect(warnings).toEqual([]);
    const [one, two] = [environment.openChannel('a'), environment.openChannel('b')];
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('BroadcastChannel');
    expect(warnings[0]).toContain('localStorage');
    expect(() => one.post('x')).not.toThrow();
    one.close();
    two.close();
  });

  it.each([
    ['without a BroadcastChannel alone', { broadcast: false }],
    ['without a localStorage alone', { storage: false }],
    ['of a real site', { broadcast: false, storage: false, host: 'app.example' }],
  ])('R56 R166 is none %s', (_name, page) => {
    const { environment, warnings } = createPage(page);
    environment.openChannel('a').close();
    expect(warnings).toEqual([]);
  });
});
