import { describe, expect, it } from 'vitest';
import * as guards from './guards.ts';
import * as params from './param-guards.ts';
import * as answers from './client-result-guards.ts';
import * as results from './result-guards.ts';

type Guard = (value: unknown) => boolean;

const text = { type: 'text', text: 'hi' };
const tool = { name: 't', inputSchema: { type: 'object' } };
const info = { name: 'n', version: '1' };
const form = { type: 'object', properties: { a: { type: 'string' } } };

/** Guard, what it takes, what it refuses. */
const TABLE: readonly [Guard, readonly unknown[], readonly unknown[]][] = [
  [
    guards.isContentBlock,
    [
      text,
      { ...text, annotations: { audience: ['user'], priority: 0.5, lastModified: 'x' }, _meta: {} },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'a:b', name: 'n', size: 3 },
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
      { type: 'resource', resource: { uri: 'a:b', blob: '', mimeType: 'x/y' } },
    ],
    [
      null,
      'text',
      [],
      {},
      { type: 'video' },
      { type: 'text' },
      { type: 'text', text: 1 },
      { ...text, _meta: [] },
      { ...text, annotations: { audience: 'user' } },
      { ...text, annotations: { audience: ['model'] } },
      { ...text, annotations: { priority: '1' } },
      { type: 'image', data: 'AA==' },
      { type: 'image', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'a:b' },
      { type: 'resource_link', name: 'n' },
      { type: 'resource', resource: { uri: 'a:b' } },
      { type: 'resource', resource: { text: '' } },
      { type: 'resource' },
    ],
  ],
  [
    results.isTool,
    [
      tool,
      { ...tool, title: 'T', description: '', icons: [{ src: 'x', sizes: ['any'], theme: 'dark' }] },
      { ...tool, outputSchema: { type: 'array' }, annotations: { readOnlyHint: true }, _meta: {} },
    ],
    [
      {},
      { name: 't' },
      { ...tool, name: 3 },
      { ...tool, inputSchema: [] },
      { ...tool, inputSchema: { type: 'string' } },
      { ...tool, outputSchema: true },
      { ...tool, title: 3 },
      { ...tool, icons: [{}] },
      { ...tool, icons: {} },
      { ...tool, _meta: 'x' },
      { ...tool, annotations: [] },
    ],
  ],
  [
    results.isCallToolResult,
    [{ content: [] }, { content: [text], structuredContent: 0, isError: true, other: 1 }],
    [{}, { content: text }, { content: [{}] }, { content: [], isError: 1 }, { content: [], _meta: 1 }],
  ],
  [
    results.isListToolsResult,
    [{ tools: [] }, { tools: [tool, 'broken'], nextCursor: '' }],
    [{}, { tools: {} }, { tools: [], nextCursor: 1 }],
  ],
  [
    results.isListResourcesResult,
    [{ resources: [{ uri: 'a:b', name: 'n' }], ttlMs: 1 }],
    [{}, { resources: [{ uri: 'a:b' }] }, { resources: [{ uri: 'a:b', name: 'n', size: 'x' }] }],
  ],
  [
    results.isListResourceTemplatesResult,
    [{ resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'n' }] }],
    [{ resourceTemplates: [{ uri: 'a:b', name: 'n' }] }, {}],
  ],
  [
    results.isReadResourceResult,
    [{ contents: [{ uri: 'a:b', text: 'x' }] }, { contents: [] }],
    [{ contents: [{ uri: 'a:b' }] }, {}],
  ],
  [
    results.isListPromptsResult,
    [{ prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }] }],
    [{ prompts: [{ name: 'p', arguments: {} }] }, { prompts: [{ arguments: [] }] }, {}],
  ],
  [
    results.isGetPromptResult,
    [{ messages: [{ role: 'user', content: text }], description: 'd' }],
    [{ messages: [{ role: 'system', content: text }] }, { messages: [{ role: 'user' }] }, {}],
  ],
  [
    results.isCompleteResult,
    [{ completion: { values: [] } }, { completion: { values: ['a'], total: 1, hasMore: false } }],
    [{}, { completion: { values: [1] } }, { completion: { values: [], total: '1' } }],
  ],
  [
    results.isInitializeResult,
    [{ protocolVersion: 'x', capabilities: { tools: {} }, serverInfo: info, instructions: 'i' }],
    [
      { protocolVersion: 'x', capabilities: { tools: true }, serverInfo: info },
      { protocolVersion: 'x', capabilities: {}, serverInfo: { name: 'n' } },
      { capabilities: {}, serverInfo: info },
      { protocolVersion: 'x', capabilities: {}, serverInfo: info, instructions: 1 },
    ],
  ],
  [
    results.isDiscoverResult,
    [{ supportedVersions: ['x'], capabilities: {} }],
    [{ supportedVersions: 'x', capabilities: {} }, { supportedVersions: [] }, {}],
  ],
  [
    answers.isCreateMessageResult,
    [
      { role: 'assistant', model: 'm', content: text },
      { role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: '1', name: 't', input: {} }] },
      { role: 'user', model: 'm', content: [{ type: 'tool_result', toolUseId: '1', content: [text] }] },
    ],
    [
      { role: 'assistant', content: text },
      { role: 'assistant', model: 'm', content: { type: 'tool_use', id: 1 } },
      { role: 'assistant', model: 'm', content: { type: 'resource', resource: { uri: 'a', text: '' } } },
      { role: 'assistant', model: 'm' },
    ],
  ],
  [
    answers.isListRootsResult,
    [{ roots: [] }, { roots: [{ uri: 'file:///x', name: 'x' }] }],
    [{}, { roots: [{ name: 'x' }] }, { roots: [{ uri: 'file:///x', name: 1 }] }],
  ],
  [
    answers.isElicitResult,
    [{ action: 'decline' }, { action: 'accept', content: { a: 1, b: 'x', c: true, d: ['y'] } }],
    [{}, { action: 'maybe' }, { action: 'accept', content: { a: {} } }, { action: 'accept', content: [] }],
  ],
  [
    params.isCallToolRequestParams,
    [{ name: 't' }, { name: 't', arguments: {}, _meta: { progressToken: 0 }, requestState: '' }],
    [
      undefined,
      {},
      { name: 1 },
      { name: 't', arguments: [] },
      { name: 't', arguments: null },
      { name: 't', _meta: [] },
      { name: 't', _meta: { progressToken: 1.5 } },
      { name: 't', requestState: 1 },
      { name: 't', inputResponses: { a: 1 } },
    ],
  ],
  [
    params.isResourceRequestParams,
    [{ uri: 'a:b' }, { uri: 'a:b', inputResponses: {} }],
    [{}, { uri: 1 }, null],
  ],
  [
    params.isGetPromptRequestParams,
    [{ name: 'p' }, { name: 'p', arguments: { a: 'b' } }],
    [{ name: 'p', arguments: { a: 1 } }, {}],
  ],
  [params.isPaginatedRequestParams, [undefined, {}, { cursor: '' }], [null, [], { cursor: 1 }]],
  [
    params.isCompleteRequestParams,
    [
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
      {
        ref: { type: 'ref/resource', uri: 'a:{b}' },
        argument: { name: 'a', value: '' },
        context: { arguments: { b: 'c' } },
      },
    ],
    [
      {},
      { ref: { type: 'ref/other', name: 'p' }, argument: { name: 'a', value: '' } },
      { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } },
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a' } },
      { ref: { type: 'ref/prompt', name: 'p' } },
      {
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'a', value: '' },
        context: { arguments: { b: 1 } },
      },
    ],
  ],
  [
    params.isInitializeRequestParams,
    [{ protocolVersion: 'x', capabilities: {}, clientInfo: info }],
    [
      { protocolVersion: 'x', capabilities: {} },
      { capabilities: {}, clientInfo: info },
    ],
  ],
  [
    params.isSubscriptionsListenRequestParams,
    [{ notifications: {} }, { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] } }],
    [{}, { notifications: { toolsListChanged: 1 } }, { notifications: { resourceSubscriptions: 'a' } }],
  ],
  [
    params.isLoggingMessageNotificationParams,
    [
      { level: 'info', data: null },
      { level: 'emergency', logger: 'l', data: {} },
    ],
    [{ level: 'loud', data: 1 }, { level: 'info' }, { level: 'info', logger: 1, data: 1 }],
  ],
  [
    params.isCreateMessageRequestParams,
    [{ messages: [{ role: 'user', content: text }], maxTokens: 1, tools: [] }],
    [
      { messages: [], maxTokens: '1' },
      { messages: [{ role: 'x', content: text }], maxTokens: 1 },
      { messages: [{ role: 'user', content: 'hi' }], maxTokens: 1 },
      { maxTokens: 1 },
    ],
  ],
  [
    params.isElicitRequestParams,
    [
      { message: 'm', requestedSchema: form },
      { mode: 'form', message: 'm', requestedSchema: { ...form, required: ['a'] } },
      { mode: 'url', message: 'm', url: 'https://a.example' },
      ...[
        { type: 'integer', minimum: 1 },
        { type: 'boolean', default: true },
        { type: 'string', enum: ['a'], enumNames: ['A'] },
        { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
        { type: 'array', items: { type: 'string', enum: ['a'] } },
        { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      ].map((a) => ({ message: 'm', requestedSchema: { ...form, properties: { a } } })),
    ],
    [
      { message: 'm' },
      { requestedSchema: form },
      { mode: 'url', message: 'm' },
      { mode: 'voice', message: 'm', requestedSchema: form },
      { message: 'm', requestedSchema: { type: 'object' } },
      { message: 'm', requestedSchema: { ...form, required: 'a' } },
      ...[
        {},
        { type: 'object' },
        { type: 'array' },
        { type: 'array', items: { type: 'string' } },
        { type: 'string', enum: [1] },
        { type: 'string', oneOf: [{ const: 'a' }] },
      ].map((a) => ({ message: 'm', requestedSchema: { ...form, properties: { a } } })),
    ],
  ],
];

describe('guards', () => {
  it.each(TABLE.map(([guard, good, bad]) => ({ name: guard.name, guard, good, bad })))(
    '$name takes what is well formed and refuses the rest',
    ({ guard, good, bad }) => {
      for (const value of good) expect([value, guard(value)]).toEqual([value, true]);
      for (const value of [...bad, null, 3, 'x', [], true]) {
        expect([value, guard(value)]).toEqual([value, false]);
      }
    },
  );

  it('know the log levels in order', () => {
    expect(guards.LOGGING_LEVELS).toHaveLength(8);
    expect(guards.LOGGING_LEVELS.indexOf('error')).toBeGreaterThan(guards.LOGGING_LEVELS.indexOf('warning'));
    expect(guards.isLoggingLevel('toString')).toBe(false);
  });
});
