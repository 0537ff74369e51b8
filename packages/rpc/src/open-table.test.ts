import { describe, expect, it } from 'vitest';
import { OpenTable } from './open-table.ts';

describe('a table of what is open', () => {
  it('finds, counts and lists what is in it, oldest first', () => {
    const table = new OpenTable<number | string, string>();
    table.set(1, 'one');
    table.set('1', 'text');
    table.set(2, 'two');
    expect([table.get(1), table.get('1'), table.get(3)]).toEqual(['one', 'text', undefined]);
    expect(table.size).toBe(3);
    expect(table.values()).toEqual(['one', 'text', 'two']);
  });

  it('lets go of each entry once', () => {
    const table = new OpenTable<number, string>();
    table.set(1, 'one');
    expect([table.delete(1), table.delete(1)]).toEqual([true, false]);
    expect([table.get(1), table.size]).toEqual([undefined, 0]);
  });

  it('hands out everything at its end', () => {
    const table = new OpenTable<number, string>();
    table.set(1, 'one');
    table.set(2, 'two');
    expect(table.drain()).toEqual(['one', 'two']);
    expect(table.drain()).toEqual([]);
  });
});
