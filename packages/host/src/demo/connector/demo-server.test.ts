import { Client } from '@portico/client';
import { createMemoryTransportPair } from '@portico/rpc';
import { type ClientCapabilities, getToolUi } from '@portico/spec';
import { afterEach, describe, expect, it } from 'vitest';
import { type ManualClock, createManualClock } from '../../../../../testing/manual-clock.ts';
import { DEMO_CONNECTOR_NAME, createDemoServer } from './index.ts';
import { STATIONS, weatherAt } from './weather.ts';

const open: Client[] = [];

interface Setup {
  readonly clock: ManualClock;
  readonly client: Client;
}

async function connectDemo(
  mode: 'auto' | 'legacy',
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Setup> {
  const clock = createManualClock(Date.UTC(2026, 5, 1, 12));
  const [ours, theirs] = createMemoryTransportPair();
  await createDemoServer({ clock }).connect(theirs);
  const info = { name: 'demo-test', version: '1.0.0' };
  const client = new Client(info, { capabilities, clock, versionNegotiation: { mode } });
  prepare(client);
  await client.connect(ours);
  open.push(client);
  return { clock, client };
}

const textOf = (result: { content: readonly { type: string }[] }): string => {
  const [block] = result.content;
  return block !== undefined && 'text' in block ? String(block.text) : '';
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

describe.each(['auto', 'legacy'] as const)('the demo connector, client in mode %s', (mode) => {
  it('introduces itself under the name that the demo page asks for', async () => {
    const { client } = await connectDemo(mode);
    expect(client.getServerVersion()?.title).toBe(DEMO_CONNECTOR_NAME);
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
  });

  it('lists every kind of tool, with honest annotations', async () => {
    const { client } = await connectDemo(mode);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'get_weather',
      'show_weather',
      'list_notes',
      'add_note',
      'count_slowly',
      'fail_on_purpose',
      'plan_trip',
      'summarize_notes',
    ]);
    const writing = tools.filter((tool) => tool.annotations?.readOnlyHint !== true);
    expect(writing.map((tool) => tool.name)).toEqual(['add_note']);
    const withView = tools.filter((tool) => getToolUi(tool).resourceUri !== undefined);
    expect(withView.map((tool) => tool.name)).toEqual(['show_weather']);
  });

  it('reads the weather as structured data and as text', async () => {
    const { client, clock } = await connectDemo(mode);
    const result = await client.callTool({ name: 'get_weather', arguments: { station: 'Port Amber' } });
    expect(result.structuredContent).toEqual(weatherAt('Port Amber', clock.now()));
    expect(textOf(result)).toMatch(/^Port Amber: -?\d+(\.\d)? °C/);
  });

  it('shows the weather by a view that loads nothing and calls back', async () => {
    const { client } = await connectDemo(mode);
    const { tools } = await client.listTools();
    const tool = tools.find((each) => each.name === 'show_weather');
    const uri = tool === undefined ? undefined : getToolUi(tool).resourceUri;
    const { contents } = await client.readResource({ uri: uri ?? '' });
    const [view] = contents;
    expect(view?.mimeType).toBe('text/html;profile=mcp-app');
    const html = view !== undefined && 'text' in view ? view.text : '';
    expect(html).not.toMatch(/https?:\/\/|src=|@import|url\(/);
    expect(html).toContain('ui/initialize');
    const result = await client.callTool({ name: 'show_weather', arguments: {} });
    expect(result.structuredContent).toMatchObject({ station: 'Larkhaven' });
  });

  it('writes a note that is then listed and readable', async () => {
    const { client } = await connectDemo(mode);
    await client.callTool({ name: 'add_note', arguments: { text: '  Buy rope.  ' } });
    const { structuredContent } = await client.callTool({ name: 'list_notes', arguments: {} });
    expect(structuredContent).toMatchObject({ notes: [{}, {}, { id: 3, text: 'Buy rope.' }] });
    const { contents } = await client.readResource({ uri: 'portico-demo://notes' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('- Buy rope.') as string }]);
    const refused = await client.callTool({ name: 'add_note', arguments: { text: ' ' } });
    expect(refused.isError).toBe(true);
  });

  it('counts with progress', async () => {
    const { client, clock } = await connectDemo(mode);
    const seen: number[] = [];
    const call = client.callTool(
      { name: 'count_slowly', arguments: { steps: 3, stepMs: 200 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    await clock.advance(600);
    expect(textOf(await call)).toBe('Counted to 3.');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('stops counting when the call is given up', async () => {
    const { client, clock } = await connectDemo(mode);
    const controller = new AbortController();
    const seen: number[] = [];
    const call = client.callTool(
      { name: 'count_slowly', arguments: { steps: 100, stepMs: 200 } },
      { signal: controller.signal, onprogress: ({ progress }) => seen.push(progress) },
    );
    const ended = call.catch((error: unknown) => error);
    await clock.advance(400);
    controller.abort();
    expect(await ended).toBeInstanceOf(Error);
    const armed = clock.armed;
    await clock.advance(2000);
    expect(seen).toEqual([1, 2]);
    expect(clock.armed).toBe(armed);
  });

  it('fails when asked to', async () => {
    const { client } = await connectDemo(mode);
    const result = await client.callTool({ name: 'fail_on_purpose', arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('The lighthouse keeper is asleep.');
  });

  it('says so politely when the client can neither ask the person nor lend a model', async () => {
    const { client } = await connectDemo(mode);
    const trip = await client.callTool({ name: 'plan_trip', arguments: {} });
    const summary = await client.callTool({ name: 'summarize_notes', arguments: {} });
    expect(trip.isError ?? summary.isError ?? false).toBe(false);
    expect(textOf(trip)).toContain('shows no forms');
    expect(textOf(summary)).toContain('lends none');
  });

  it('plans a trip from a form and summarizes by the client’s model', async () => {
    const { client } = await connectDemo(mode, { elicitation: {}, sampling: {} }, (each) => {
      each.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { destination: 'Old Foundry', travellers: 2, returnTrip: true },
      }));
      each.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'test-model',
        content: { type: 'text', text: 'A ferry and a sensor.' },
      }));
    });
    const trip = await client.callTool({ name: 'plan_trip', arguments: {} });
    expect(textOf(trip)).toBe('2 travellers to Old Foundry and back. The ferry leaves at seven.');
    const summary = await client.callTool({ name: 'summarize_notes', arguments: {} });
    expect(textOf(summary)).toBe('A ferry and a sensor.');
  });

  it('takes no for an answer', async () => {
    const { client } = await connectDemo(mode, { elicitation: {} }, (each) => {
      each.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    });
    expect(textOf(await client.callTool({ name: 'plan_trip', arguments: {} }))).toBe('Fine, no trip then.');
  });

  it('offers resources, a template and completions for it', async () => {
    const { client, clock } = await connectDemo(mode);
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.name)).toEqual([
      'stations',
      'notes',
      'weather-view',
      ...STATIONS,
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'portico-demo://stations/{station}' }]);
    const { contents } = await client.readResource({ uri: 'portico-demo://stations/Mistral%20Point' });
    const [station] = contents;
    const text = station !== undefined && 'text' in station ? station.text : '';
    expect(JSON.parse(text)).toEqual(weatherAt('Mistral Point', clock.now()));
    await expect(client.readResource({ uri: 'portico-demo://stations/Atlantis' })).rejects.toMatchObject({
      code: -32_602,
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'portico-demo://stations/{station}' },
      argument: { name: 'station', value: 'p' },
    });
    expect(completion.values).toEqual(['Port Amber']);
  });

  it('offers two prompts', async () => {
    const { client } = await connectDemo(mode);
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(['weather_report', 'tidy_notes']);
    expect(prompts[0]?.arguments).toMatchObject([
      { name: 'station', required: true },
      { name: 'manner', required: false },
    ]);
    const report = await client.getPrompt({
      name: 'weather_report',
      arguments: { station: 'Larkhaven', manner: 'a pirate' },
    });
    expect(report.messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('a pirate') as string } },
    ]);
    const tidy = await client.getPrompt({ name: 'tidy_notes' });
    expect(tidy.messages).toHaveLength(1);
  });
});

describe('the demo weather', () => {
  it('is the same for the same minute and changes with time', () => {
    const noon = Date.UTC(2026, 5, 1, 12);
    expect(weatherAt('Larkhaven', noon)).toEqual(weatherAt('Larkhaven', noon));
    const day = Array.from({ length: 24 }, (_, hour) => weatherAt('Larkhaven', noon + hour * 3_600_000));
    expect(new Set(day.map((report) => report.temperatureC)).size).toBeGreaterThan(5);
    expect(new Set(day.map((report) => report.condition)).size).toBeGreaterThan(1);
  });
});
