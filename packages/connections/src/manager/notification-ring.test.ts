import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNotificationRing } from './notification-ring.ts';
import type { NotificationRing } from './notification-ring.ts';

function createRing(limits: { maxCount?: number; maxBytes?: number } = {}): NotificationRing {
  let count = 0;
  return createNotificationRing({ now: () => 1_000 + count, newId: () => `n${String(++count)}`, ...limits });
}

const methodsOf = ({ items }: NotificationRing): string[] => items.map(({ method }) => method);

describe('createNotificationRing', () => {
  it('R105 keeps each notification once, newest first, with id, time and unread', () => {
    const ring = createRing();
    ring.add({ method: 'notifications/message', params: { level: 'info', data: 'a' } });
    const second = ring.add({ method: 'notifications/own' });
    expect(ring.items).toEqual([
      { id: 'n2', method: 'notifications/own', timestamp: 1_002, read: false },
      {
        id: 'n1',
        method: 'notifications/message',
        params: { level: 'info', data: 'a' },
        timestamp: 1_001,
        read: false,
      },
    ]);
    expect(ring.items[0]).toBe(second);
    expect(ring.items[0]).not.toHaveProperty('params');
  });

  it('R105 keeps nothing that only accompanies a call', () => {
    const ring = createRing();
    const before = ring.items;
    for (const name of ['progress', 'cancelled', 'subscriptions/acknowledged']) {
      expect(ring.add({ method: `notifications/${name}`, params: {} })).toBeUndefined();
    }
    expect(ring.items).toBe(before);
    expect(ring.unreadCount).toBe(0);
  });

  it('R105 pushes the oldest out with the 501st', () => {
    const ring = createRing();
    for (let count = 1; count <= 501; count++) ring.add({ method: `m${String(count)}` });
    expect(ring.items).toHaveLength(500);
    expect(ring.items[0]?.method).toBe('m501');
    expect(ring.items.at(-1)?.method).toBe('m2');
    expect(ring.unreadCount).toBe(500);
  });

  it('R105 R170 pushes the oldest out above 5 MiB, counted in bytes', () => {
    const ring = createRing();
    // Three bytes each.
    const data = '\u2603'.repeat(500_000);
    for (const method of ['a', 'b', 'c', 'd']) ring.add({ method, params: { data } });
    expect(methodsOf(ring)).toEqual(['d', 'c', 'b']);
    expect(ring.unreadCount).toBe(3);
    ring.clear();
    for (const method of ['a', 'b', 'c']) ring.add({ method, params: { data } });
    expect(methodsOf(ring)).toEqual(['c', 'b', 'a']);
  });

  it('R170 lets none push all the others out', () => {
    const ring = createRing({ maxBytes: 100 });
    ring.add({ method: 'small' });
    expect(ring.add({ method: 'large', params: { data: 'x'.repeat(100) } })).toBeUndefined();
    expect(methodsOf(ring)).toEqual(['small']);
  });

  it('R106 marks one, marks all, and clears; what changes nothing keeps the array', () => {
    const ring = createRing();
    for (const method of ['a', 'b', 'c']) ring.add({ method });
    const [c, b, a] = ring.items;
    expect(ring.markRead('n2')).toBe(true);
    expect(ring.items.map(({ read }) => read)).toEqual([false, true, false]);
    expect([ring.items[0], ring.items[2]]).toEqual([c, a]);
    expect(ring.items[0]).toBe(c);
    expect(b?.read).toBe(false);
    const marked = ring.items;
    expect(ring.markRead('n2')).toBe(false);
    expect(ring.markRead('nobody')).toBe(false);
    expect(ring.items).toBe(marked);
    expect(ring.markAllRead()).toBe(true);
    expect(ring.unreadCount).toBe(0);
    expect(ring.items[1]).toBe(marked[1]);
    const allRead = ring.items;
    expect(ring.markAllRead()).toBe(false);
    expect(ring.items).toBe(allRead);
    expect(ring.clear()).toBe(true);
    expect(ring.items).toEqual([]);
    const empty = ring.items;
    expect(ring.clear()).toBe(false);
    expect(ring.items).toBe(empty);
  });

  it('R106 always counts the unread ones in the array', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('add' as const), size: fc.nat(60) }),
      fc.record({ type: fc.constant('read' as const), index: fc.nat(12) }),
      fc.record({ type: fc.constantFrom('readAll' as const, 'clear' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ring = createRing({ maxCount: 10, maxBytes: 400 });
        for (const one of steps) {
          if (one.type === 'add') ring.add({ method: 'm', params: { data: 'x'.repeat(one.size) } });
          else if (one.type === 'read') ring.markRead(ring.items[one.index]?.id ?? 'none');
          else if (one.type === 'readAll') ring.markAllRead();
          else ring.clear();
          expect(ring.unreadCount).toBe(ring.items.filter(({ read }) => !read).length);
          expect(ring.items.length).toBeLessThanOrEqual(10);
        }
      }),
    );
  });

  it('R5 lets nobody write to what it keeps', () => {
    const ring = createRing();
    ring.add({ method: 'm', params: { list: [{ a: 1 }] } });
    const [item] = ring.items;
    expect(() => ring.items.push(item!)).toThrow(TypeError);
    expect(() => Object.assign(item!, { read: true })).toThrow(TypeError);
    expect(() => Object.assign((item!.params as { list: object[] }).list[0]!, { a: 2 })).toThrow(TypeError);
  });
});
