import { describe, expect, it } from 'vitest';
import { query } from '@portico/agent';
import type { Options } from '@portico/agent';
import { collect, resultOf } from '../../../testing/query-messages.ts';
import { createScriptedProvider } from '../../../testing/scripted-provider.ts';
import { say } from '../../../testing/scripted-reply.ts';
import { createMemorySessionStore } from '@portico/agent/session';

describe('options', () => {
  it('reject the first read with the name of the one that cannot be used, before any request', async () => {
    const portico = { sessionStore: createMemorySessionStore() };
    const bad: [string, { portico?: object }][] = [
      ['maxTurns', { maxTurns: 0 } as object],
      ['maxTurns', { maxTurns: '3' }],
      ['permissionMode', { permissionMode: 'anything' }],
      ['allowedTools', { allowedTools: 'Read' }],
      ['canUseTool', { canUseTool: true }],
      ['abortController', { abortController: {} }],
      ['cwd', { cwd: '/there/is/no/such/folder' }],
      ['resume', { resume: 'x' }],
      ['resume', { resume: 'x', portico: { ...portico, sessionId: 'y' } }],
      ['resumeSessionAt', { resumeSessionAt: 'x' }],
      ['forkSession', { forkSession: true }],
      ['hooks', { hooks: { Sometimes: [] } }],
    ];
    for (const [option, given] of bad) {
      const provider = createScriptedProvider([say('x')]);
      const options = {
        ...given,
        portico: { provider, ...given.portico },
      } as Options;
      await expect(query({ prompt: 'go', options }).next(), option).rejects.toMatchObject({
        code: 'invalid_option',
        data: { option },
      });
      expect(provider.requests).toEqual([]);
    }
  });

  it('are refused, not ignored, when this version cannot do what they ask', async () => {
    for (const [option, given] of [
      ['continue', { continue: true }],
      ['permissionPromptToolName', { permissionPromptToolName: 'mcp__a__b' }],
    ] as const) {
      const options: Options = { ...given, portico: { provider: createScriptedProvider([]) } };
      await expect(query({ prompt: 'go', options }).next()).rejects.toMatchObject({
        code: 'option_not_available',
        data: { option },
      });
    }
  });

  it('warn of unknown keys and of those without effect', async () => {
    const warnings: string[] = [];
    const options = {
      stderr: (line: string) => warnings.push(line),
      unknownThing: 1,
      executable: 'node',
      pathToClaudeCodeExecutable: '/nowhere',
      portico: { provider: createScriptedProvider([say('x')]) },
    } as Options;
    expect(resultOf(await collect(query({ prompt: 'go', options }))).subtype).toBe('success');
    expect(warnings).toEqual([
      expect.stringContaining('unknownThing'),
      expect.stringMatching(/executable.*pathToClaudeCodeExecutable/),
    ]);
  });

  it('make the system prompt: custom in place of the default, appended after either', async () => {
    const system = async (options: Options): Promise<string> => {
      const provider = createScriptedProvider([say('x')]);
      await collect(query({ prompt: 'go', options: { ...options, portico: { provider } } }));
      return provider.requests[0]?.system ?? '';
    };
    const standard = await system({});
    expect(standard.length).toBeGreaterThan(100);
    expect(standard.length).toBeLessThan(4096);
    expect(await system({ customSystemPrompt: 'A' })).toBe('A');
    expect(await system({ customSystemPrompt: 'A', appendSystemPrompt: 'B' })).toBe('A\n\nB');
    expect(await system({ appendSystemPrompt: 'B' })).toBe(`${standard}\n\nB`);
  });

  it('choose the model: the option, then ANTHROPIC_MODEL of env, then the provider', async () => {
    const model = async (options: Options): Promise<string | undefined> => {
      const provider = createScriptedProvider([say('x')]);
      await collect(query({ prompt: 'go', options: { ...options, portico: { provider } } }));
      return provider.requests[0]?.model;
    };
    const env = { ANTHROPIC_MODEL: 'from-env' };
    expect(await model({ model: 'Given/As-Is', env })).toBe('Given/As-Is');
    expect(await model({ env })).toBe('from-env');
    expect(await model({})).toBe('scripted-model');
  });
});

describe('controls', () => {
  it('answer before the first message, during a turn and after the end', async () => {
    const provider = {
      ...createScriptedProvider([say('x')]),
      models: () => Promise.resolve([{ value: 'm', displayName: 'M', description: 'a model' }]),
    };
    const running = query({ prompt: 'go', options: { portico: { provider } } });
    const answers = async () => [
      await running.supportedCommands(),
      await running.supportedModels(),
      await running.mcpServerStatus(),
    ];
    const expected = [[], [{ value: 'm', displayName: 'M', description: 'a model' }], []];
    expect(await answers()).toEqual(expected);
    await running.next();
    expect(await answers()).toEqual(expected);
    await collect(running);
    expect(await answers()).toEqual(expected);
  });

  it('name the model in use when the provider has no list', async () => {
    const running = query({
      prompt: 'go',
      options: { model: 'only', portico: { provider: createScriptedProvider([]) } },
    });
    expect(await running.supportedModels()).toEqual([
      { value: 'only', displayName: 'only', description: '' },
    ]);
    await running.return();
  });
});

it('has no effect before it is read', () => {
  const before = process.getActiveResourcesInfo().length;
  const mcpServers = { x: { command: 'there-is-no-such-command' } };
  const provider = createScriptedProvider([]);
  for (let index = 0; index < 10; index++)
    query({ prompt: 'go', options: { mcpServers, portico: { provider } } });
  expect(process.getActiveResourcesInfo().length).toBe(before);
  expect(provider.requests).toEqual([]);
});
