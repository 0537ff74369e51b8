import { describe, expect, it } from 'vitest';
import { createViewWorld } from '../../../../testing/view-app.ts';
import { deliverCall, toolInfoOf } from './view-session.ts';
import type { ViewCall } from './view-session.ts';

async function heardOf(...calls: Partial<ViewCall>[]): Promise<unknown[]> {
  const world = await createViewWorld();
  const heard: unknown[] = [];
  world.app.ontoolinput = (params) => heard.push(['input', params.arguments]);
  world.app.ontoolresult = (params) => heard.push(['result', params.isError ?? false]);
  world.app.ontoolcancelled = (params) => heard.push(['cancelled', params.reason]);
  await world.connect();
  for (const call of calls)
    deliverCall(world.bridge, { id: 'c', arguments: { a: 1 }, status: 'running', ...call });
  await world.clock.advance(0);
  await world.app.close();
  return heard;
}

describe('deliverCall', () => {
  it.each([
    [{ status: 'done', result: { content: [] } }, ['result', false]],
    [{ status: 'tool_error', result: { content: [], isError: true } }, ['result', true]],
    [{ status: 'cancelled' }, ['cancelled', 'cancelled']],
    [{ status: 'denied' }, ['cancelled', 'denied']],
    [
      { status: 'failed', problem: { message: 'The server went away.' } },
      ['cancelled', 'The server went away.'],
    ],
    [{ status: 'unknown' }, ['cancelled', 'unknown']],
  ])('apps-P11 tells the end of a call that is %j', async (end, told) => {
    expect(await heardOf({}, end, end)).toEqual([['input', { a: 1 }], told]);
  });

  it.each(['running', 'waiting_approval'])('tells no end while the call is %s', async (status) => {
    expect(await heardOf({ status })).toEqual([['input', { a: 1 }]]);
  });
});

describe('toolInfoOf', () => {
  const session = { viewId: 'v', url: '', origin: '', connectorName: '', allow: '' };
  const call = { id: 'c1', arguments: {}, status: 'done' };

  it('fills in the input schema that the view side insists on', () => {
    const tool = { name: 'show', title: 'Show' };
    expect(toolInfoOf({ ...session, call, tool })).toEqual({
      id: 'c1',
      tool: { ...tool, inputSchema: { type: 'object' } },
    });
  });

  it('leaves a schema as it is', () => {
    const tool = { name: 'show', inputSchema: { type: 'object', required: ['a'] } };
    expect(toolInfoOf({ ...session, call, tool })).toEqual({ id: 'c1', tool });
  });
});
