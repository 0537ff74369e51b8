import { describe, expect, it } from 'vitest';
import { SdkError } from './errors.ts';
import { SessionRenewal } from './session-renewal.ts';

describe('renewal of a lost session', () => {
  it('starts none for a refusal that belongs to an older session', async () => {
    let session = 'old';
    let renewals = 0;
    const renewal = new SessionRenewal({
      sessionId: () => session,
      renew: () => {
        renewals += 1;
        return Promise.resolve();
      },
    });
    let tries = 0;
    const result = await renewal.run(() => {
      tries += 1;
      if (tries > 1) return Promise.resolve(session);
      session = 'new';
      return Promise.reject(new SdkError('CLIENT_HTTP_SESSION_LOST'));
    });
    expect(result).toBe('new');
    expect(renewals).toBe(0);
  });

  it('passes every other failure on', async () => {
    const renewal = new SessionRenewal({
      sessionId: () => 's',
      renew: () => Promise.reject(new RangeError('not asked for')),
    });
    const failing = renewal.run(() => Promise.reject(new SdkError('REQUEST_TIMEOUT')));
    await expect(failing).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  });
});
