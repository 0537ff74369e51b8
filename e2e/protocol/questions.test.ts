import { Client, getSupportedElicitationModes } from '@portico/client';
import { ProtocolError } from '@portico/rpc';
import { McpServer, type ServerContext, inputRequired } from '@portico/server';
import type { ClientCapabilities, CreateMessageRequestParams, ElicitRequestParams } from '@portico/spec';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedServer, discovered } from '../../testing/scripted-server.ts';
import { LOGGED_ROUTES, type OpenedClient } from './logged-routes.ts';

const INFO = { name: 'questions', version: '1' };
const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }],
  maxTokens: 9,
};
const ANSWER = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } } as const;
const FORM = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
const PAGE = { mode: 'url' as const, message: 'Open', url: 'https://example.test/x', elicitationId: 'e1' };

type Question =
  | { readonly method: 'sampling/createMessage'; readonly params: CreateMessageRequestParams }
  | { readonly method: 'elicitation/create'; readonly params: ElicitRequestParams };

interface Asker extends OpenedClient {
  /** What the tool was told, or the code of what it caught, and the code of what its caller caught. */
  ask(question: Question): Promise<{ readonly told?: unknown; readonly failed?: unknown }>;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** A tool that asks in the way of its caller's era. */
async function openAsker(
  route: (typeof LOGGED_ROUTES)[number],
  capabilities: ClientCapabilities,
  answer: () => unknown,
): Promise<Asker> {
  let current: Question = { method: 'sampling/createMessage', params: SAMPLE };
  let told: unknown;
  const run = async ({ client, mcpReq }: ServerContext): Promise<unknown> => {
    if (client.era === 'legacy') {
      const asked =
        current.method === 'elicitation/create'
          ? mcpReq.elicitInput(current.params)
          : mcpReq.requestSampling(current.params);
      told = await asked.catch(codeOf);
    } else if (mcpReq.inputResponses === undefined) {
      return inputRequired({ inputRequests: { q: current } });
    } else {
      told = mcpReq.inputResponses['q'];
    }
    return { content: [] };
  };
  const opened = await route.open(
    () => {
      const server = new McpServer(INFO);
      server.registerTool('ask', {}, (context) => run(context) as never);
      return server;
    },
    {
      capabilities,
      prepare(client) {
        if (capabilities.sampling !== undefined) {
          client.setRequestHandler('sampling/createMessage', answer as never);
        }
        if (capabilities.elicitation !== undefined) {
          client.setRequestHandler('elicitation/create', answer as never);
        }
      },
    },
  );
  return {
    ...opened,
    async ask(question) {
      current = question;
      told = undefined;
      const failed: unknown = await opened.client.callTool({ name: 'ask' }).then(() => undefined, codeOf);
      return failed === undefined ? { told } : { failed };
    },
  };
}

const calls = ({ log }: OpenedClient): number =>
  log.filter(({ from, message }) => from === 'client' && message['method'] === 'tools/call').length;

const questions = ({ log, asked }: OpenedClient): number =>
  asked().length + log.filter(({ message }) => JSON.stringify(message).includes('"inputRequests"')).length;

const TOOLS = [{ name: 't', inputSchema: { type: 'object' as const } }];
const SAMPLING: readonly (readonly [params: object, needs: 'tools' | 'context' | undefined])[] = [
  [{}, undefined],
  [{ includeContext: 'none' }, undefined],
  [{ includeContext: 'thisServer' }, 'context'],
  [{ includeContext: 'allServers' }, 'context'],
  [{ tools: TOOLS }, 'tools'],
  [{ tools: [] }, 'tools'],
  [{ toolChoice: { mode: 'auto' } }, 'tools'],
  [{ toolChoice: { mode: 'none' } }, 'tools'],
];
const DECLARED: readonly (readonly ('tools' | 'context')[])[] = [
  [],
  ['tools'],
  ['context'],
  ['tools', 'context'],
];

describe.each(LOGGED_ROUTES)('sampling, $name', (route) => {
  it('W181 with tools or context is sent only to clients that declare them', async () => {
    const undeclared = route.era === 'legacy' ? { told: 'CAPABILITY_NOT_SUPPORTED' } : { failed: -32_021 };
    for (const declared of DECLARED) {
      const sampling = Object.fromEntries(declared.map((name) => [name, {}]));
      const asker = await openAsker(route, { sampling }, () => ANSWER);
      for (const [more, needs] of SAMPLING) {
        const before = questions(asker);
        const outcome = await asker.ask({ method: 'sampling/createMessage', params: { ...SAMPLE, ...more } });
        const fine = needs === undefined || declared.includes(needs);
        expect([declared, more, outcome]).toEqual([declared, more, fine ? { told: ANSWER } : undeclared]);
        expect(questions(asker) - before).toBe(fine ? 1 : 0);
      }
      await asker.close();
    }
  });

  it('W181 that is declined reaches a legacy handler as -1, and ends a modern call at the client', async () => {
    const asker = await openAsker(route, { sampling: {} }, () => {
      throw new ProtocolError(-1, 'the person said no');
    });
    const outcome = await asker.ask({ method: 'sampling/createMessage', params: SAMPLE });
    expect(outcome).toEqual(route.era === 'legacy' ? { told: -1 } : { failed: -1 });
    expect(calls(asker)).toBe(1);
    await asker.close();
  });
});

/** What a client answers a server that asks for more than it may: the code of the refusal, or its answer. */
async function hostileAsk(
  era: 'legacy' | 'modern',
  capabilities: ClientCapabilities,
  question: Question,
): Promise<unknown> {
  const clock = createManualClock();
  let runs = 0;
  const server = await createScriptedServer({
    clock,
    answers:
      era === 'legacy'
        ? {}
        : {
            'server/discover': () => discovered(),
            'tools/call': ({ inputResponses }) =>
              inputResponses === undefined
                ? { resultType: 'input_required', inputRequests: { q: question } }
                : { content: [], structuredContent: inputResponses },
          },
  });
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const client = new Client(INFO, { clock, capabilities, versionNegotiation: { mode } });
  const answer = (given: unknown) => (): never => {
    runs += 1;
    return given as never;
  };
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', answer(ANSWER));
  }
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', answer({ action: 'decline' }));
  }
  await client.connect(server.transport);
  const asked =
    era === 'legacy'
      ? server.peer.request(question.method, { ...question.params })
      : client.callTool({ name: 'x' });
  const outcome = await asked.then(() => 'answered', codeOf);
  expect(runs).toBe(outcome === 'answered' ? 1 : 0);
  await client.close();
  return outcome;
}

describe.each(['legacy', 'modern'] as const)(
  'a client that is asked for more than it declared, %s',
  (era) => {
    it('W181 answers tools with -32602 and runs nothing', async () => {
      for (const [more, needs] of SAMPLING.filter(([, name]) => name === 'tools')) {
        const question = {
          method: 'sampling/createMessage',
          params: { ...SAMPLE, ...more },
        } as const;
        expect([more, await hostileAsk(era, { sampling: {} }, question)]).toEqual([more, -32_602]);
        const declared = { sampling: { [needs ?? '']: {} } };
        expect([more, await hostileAsk(era, declared, question)]).toEqual([more, 'answered']);
      }
    });

    it('W185 answers a mode with -32602 and runs nothing', async () => {
      for (const [elicitation, modes] of MODES) {
        if (elicitation === undefined) continue;
        for (const [params, mode] of ELICITATIONS) {
          const outcome = await hostileAsk(era, { elicitation }, { method: 'elicitation/create', params });
          expect([elicitation, params, outcome]).toEqual([
            elicitation,
            params,
            modes.includes(mode) ? 'answered' : -32_602,
          ]);
        }
      }
    });
  },
);

const MODES: readonly (readonly [ClientCapabilities['elicitation'], readonly ('form' | 'url')[]])[] = [
  [undefined, []],
  [{}, ['form']],
  [{ form: {} }, ['form']],
  [{ url: {} }, ['url']],
  [{ form: {}, url: {} }, ['form', 'url']],
  [{ form: { applyDefaults: true } }, ['form']],
];
const ELICITATIONS: readonly (readonly [params: ElicitRequestParams, mode: 'form' | 'url'])[] = [
  [FORM, 'form'],
  [{ ...FORM, mode: 'form' }, 'form'],
  [PAGE, 'url'],
];

it('W185 is told of a declaration by getSupportedElicitationModes', () => {
  for (const [elicitation, modes] of MODES) {
    expect([elicitation, getSupportedElicitationModes(elicitation)]).toEqual([
      elicitation,
      { supportsFormMode: modes.includes('form'), supportsUrlMode: modes.includes('url') },
    ]);
  }
});

describe.each(LOGGED_ROUTES)('elicitation, $name', (route) => {
  it('W185 is sent only in a mode that the client declares', async () => {
    const undeclared = route.era === 'legacy' ? { told: 'CAPABILITY_NOT_SUPPORTED' } : { failed: -32_021 };
    for (const [elicitation, modes] of MODES) {
      const capabilities = elicitation === undefined ? {} : { elicitation };
      const asker = await openAsker(route, capabilities, () => ({ action: 'decline' }));
      for (const [params, mode] of ELICITATIONS) {
        const before = questions(asker);
        const outcome = await asker.ask({ method: 'elicitation/create', params });
        const fine = modes.includes(mode);
        expect([elicitation, params, outcome]).toEqual([
          elicitation,
          params,
          fine ? { told: { action: 'decline' } } : undeclared,
        ]);
        expect(questions(asker) - before).toBe(fine ? 1 : 0);
      }
      await asker.close();
    }
  });
});
