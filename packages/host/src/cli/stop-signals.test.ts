import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import { waitForStop } from './stop-signals.ts';

describe('signals to stop', () => {
  const setUp = () => {
    const clock = createManualClock();
    const emitter = new EventEmitter();
    const exits: number[] = [];
    const source = Object.assign(emitter, { exit: (code: number) => void exits.push(code) });
    return { clock, emitter, exits, signals: waitForStop(source, clock) };
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    '%s asks the program to end, without ending it',
    async (signal) => {
      const { emitter, exits, signals } = setUp();
      emitter.emit(signal);
      await signals.stopped;
      expect(exits).toEqual([]);
    },
  );

  it('end the program at once the second time', () => {
    const { emitter, exits } = setUp();
    emitter.emit('SIGTERM');
    emitter.emit('SIGINT');
    expect(exits).toEqual([130]);
  });

  it('end the program when closing takes longer than 25 s', async () => {
    const { clock, emitter, exits } = setUp();
    emitter.emit('SIGTERM');
    await clock.advance(24_999);
    expect(exits).toEqual([]);
    await clock.advance(1);
    expect(exits).toEqual([1]);
  });

  it('are left alone after the release', () => {
    const { emitter, signals } = setUp();
    signals.release();
    expect(emitter.eventNames()).toEqual([]);
  });
});
