import { describe, expect, it } from 'vitest';
import { createConnectorAudience } from './connector-audience.ts';

describe('the audience of a connector', () => {
  it('hears what that one says, and nothing of another, until it leaves', () => {
    const audience = createConnectorAudience();
    const heard: string[] = [];
    const note =
      (name: string) =>
      ({ method }: { readonly method: string }): void =>
        void heard.push(`${name} ${method}`);
    const leave = audience.listen('a', note('first of a'));
    audience.listen('a', note('second of a'));
    audience.listen('b', note('of b'));
    audience.tell('a', { method: 'one' });
    expect(heard.splice(0)).toEqual(['first of a one', 'second of a one']);
    audience.tell('b', { method: 'two' });
    expect(heard.splice(0)).toEqual(['of b two']);
    leave();
    audience.tell('a', { method: 'three' });
    audience.tell('c', { method: 'four' });
    expect(heard).toEqual(['second of a three']);
  });
});
