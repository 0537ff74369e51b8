import { describe, expect, it } from 'vitest';
import { createToolDelivery } from './tool-delivery.ts';
import type { ToolDelivery } from './tool-delivery.ts';

const RESULT = { content: [{ type: 'text' as const, text: 'done' }] };

function tell(story: (delivery: ToolDelivery) => void): string[] {
  const sent: string[] = [];
  story(
    createToolDelivery((method, params) =>
      sent.push(`${method.replace('ui/notifications/', '')} ${JSON.stringify(params)}`),
    ),
  );
  return sent;
}

describe('the story of a call', () => {
  it('waits for the view and is then told in order', () => {
    expect(
      tell((delivery) => {
        delivery.result(RESULT);
        delivery.input({ a: 1 });
        expect(delivery.open()).toBeUndefined();
      }),
    ).toEqual(['tool-input {"arguments":{"a":1}}', `tool-result ${JSON.stringify(RESULT)}`]);
  });

  it('holds the result until there is an input', () => {
    expect(
      tell((delivery) => {
        delivery.open();
        delivery.result(RESULT);
      }),
    ).toEqual([]);
  });

  it('sends the input once and no partial one after it', () => {
    expect(
      tell((delivery) => {
        delivery.open();
        delivery.partialInput({ a: 1 });
        delivery.partialInput({ a: 2 });
        delivery.input({ a: 3 });
        delivery.partialInput({ a: 4 });
        delivery.input({ a: 5 });
      }),
    ).toEqual([
      'tool-input-partial {"arguments":{"a":1}}',
      'tool-input-partial {"arguments":{"a":2}}',
      'tool-input {"arguments":{"a":3}}',
    ]);
  });

  it('tells a view that opens late only the latest partial input', () => {
    expect(
      tell((delivery) => {
        delivery.partialInput({ a: 1 });
        delivery.partialInput({ a: 2 });
        delivery.open();
      }),
    ).toEqual(['tool-input-partial {"arguments":{"a":2}}']);
  });

  it('ends once, by result or by cancellation', () => {
    expect(
      tell((delivery) => {
        delivery.open();
        delivery.cancelled('stopped');
        delivery.input({});
        delivery.result(RESULT);
      }),
    ).toEqual(['tool-cancelled {"reason":"stopped"}']);
  });

  it('is told again to a view that loads again', () => {
    const sent = tell((delivery) => {
      delivery.open();
      delivery.input({});
      delivery.result(RESULT);
      delivery.reset();
      delivery.open();
    });
    expect(sent).toHaveLength(4);
    expect(sent.slice(2)).toEqual(sent.slice(0, 2));
  });
});
