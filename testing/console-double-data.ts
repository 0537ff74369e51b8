import type { Artifact, Bootstrap, Connector, Conversation, Item, ToolInfo } from '@portico/api';

/** A moment in canned data, as minutes before the double was made. */
const minutesAgo = (minutes: number): number => Date.UTC(2026, 9, 12, 14, 30) - minutes * 60_000;

const SERVER = {
  name: 'demo',
  title: 'Portico Demo',
  version: '0.1.0',
  era: 'modern',
  protocolVersion: '2026-07-28',
} as const;

export const CONNECTORS: readonly Connector[] = [
  {
    id: 'demo',
    name: 'Demo',
    label: '',
    groupId: 'demo',
    transport: { kind: 'builtin', module: 'demo' },
    enabled: true,
    starts: 'with_portico',
    status: 'ready',
    cause: { kind: 'connected', message: 'It is connected.' },
    action: 'reconnect',
    server: SERVER,
    toolCount: 9,
    toolsVersion: '',
    createdAtMs: minutesAgo(9000),
  },
  {
    id: 'everything',
    name: 'Everything',
    label: '',
    groupId: 'everything',
    transport: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-everything'],
      envNames: ['API_TOKEN'],
    },
    enabled: true,
    starts: 'with_portico',
    status: 'ready',
    cause: { kind: 'connected', message: 'It is connected.' },
    action: 'reconnect',
    server: {
      ...SERVER,
      name: 'everything',
      title: 'Everything Example Server',
      version: '2026.8.31',
      era: 'legacy',
      protocolVersion: '2025-11-25',
    },
    toolCount: 3,
    toolsVersion: '',
    createdAtMs: minutesAgo(8000),
  },
  {
    id: 'broken',
    name: 'Ledger',
    label: '',
    groupId: 'broken',
    transport: {
      kind: 'stdio',
      command: 'ledger-mcp',
      args: ['--file', '/home/me/books/2026 accounts.ledger'],
      cwd: '/home/me/books',
      envNames: [],
    },
    enabled: true,
    starts: 'with_portico',
    status: 'failed',
    cause: { kind: 'problem', message: 'The server process ended with exit code 1.' },
    action: 'edit',
    problem: {
      kind: 'processExitCode',
      facts: { exitCode: '1' },
      code: 'STDIO_EXITED',
      message: 'The server process ended with exit code 1.',
      remedy: 'Its last lines below may say why; correct the command or its variables and reconnect.',
      stderrTail: [
        'ledger-mcp 2.4.0',
        'reading /home/me/books/2026 accounts.ledger',
        'error: line 3120: unbalanced transaction',
      ],
    },
    toolCount: 0,
    toolsVersion: '',
    createdAtMs: minutesAgo(700),
  },
  {
    id: 'waiting',
    name: 'Files',
    label: '',
    groupId: 'waiting',
    transport: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/Documents'],
      envNames: [],
    },
    enabled: true,
    starts: 'with_portico',
    status: 'stopped',
    cause: { kind: 'approvalWaits', message: 'Its command waits for your approval.' },
    action: 'review',
    pendingApproval: {
      resolvedPath: '/usr/bin/npx',
      command: 'npx',
      args: [
        '-y',
        '@modelcontextprotocol/server-filesystem',
        '/home/me/Docu\u202Ements',
        `--note=${'long '.repeat(120)}end`,
      ],
      cwd: '/home/me',
      envNames: ['FILES_TOKEN', 'NODE_OPTIONS'],
      hash: 'h1',
    },
    toolCount: 0,
    toolsVersion: '',
    createdAtMs: minutesAgo(30),
  },
  {
    id: 'budget',
    name: 'Budget',
    label: '',
    groupId: 'budget',
    transport: { kind: 'http', url: 'http://localhost:3001/mcp', headerNames: ['Authorization'] },
    enabled: false,
    starts: 'with_portico',
    status: 'disabled',
    cause: { kind: 'switchedOff', message: 'It is switched off.' },
    action: 'enable',
    toolCount: 0,
    toolsVersion: '',
    createdAtMs: minutesAgo(600),
  },
];

const tool = (name: string, more: Partial<ToolInfo> = {}): ToolInfo => ({
  name,
  inputSchema: { type: 'object', properties: {} },
  visibility: ['model', 'app'],
  ...more,
});

export const TOOLS: Readonly<Record<string, readonly ToolInfo[]>> = {
  demo: [
    tool('show_board', {
      title: 'Show the board',
      description: 'Shows the notes as a board that can be rearranged.',
      viewUri: 'ui://demo/board',
      annotations: { readOnlyHint: true },
    }),
    tool('list_notes', {
      title: 'List notes',
      description: 'Lists all notes with their labels.',
      annotations: { readOnlyHint: true },
    }),
    tool('add_note', {
      title: 'Add a note',
      description: 'Adds a note to the board.',
      annotations: { readOnlyHint: false, destructiveHint: false },
      inputSchema: {
        type: 'object',
        required: ['title', 'priority', 'pinned'],
        properties: {
          title: { type: 'string', minLength: 1, description: 'One line that says what it is about.' },
          body: { type: ['string', 'null'], description: 'May have several lines.' },
          priority: { type: 'string', enum: ['low', 'normal', 'high'], default: 'normal' },
          due: { type: 'string', format: 'date' },
          pinned: { type: 'boolean', description: 'Keeps it at the top.' },
          effort: { type: 'number', minimum: 0, maximum: 100, description: 'In hours.' },
          labels: { type: 'array', items: { type: 'string' } },
          owner: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
          },
          reminder: {
            oneOf: [
              {
                title: 'At a time',
                type: 'object',
                required: ['kind', 'at'],
                properties: { kind: { const: 'time' }, at: { type: 'string', format: 'date-time' } },
              },
              {
                title: 'At a place',
                type: 'object',
                required: ['kind', 'place'],
                properties: { kind: { const: 'place' }, place: { type: 'string' } },
              },
            ],
          },
        },
      },
    }),
    tool('slow_count', {
      title: 'Count slowly',
      description: 'Counts with progress, to see how Stop works.',
      inputSchema: {
        type: 'object',
        properties: { steps: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
      },
    }),
    tool('always_fails', { title: 'Fail', description: 'Always reports an error.' }),
    tool('move_note', { visibility: ['app'], description: 'Moves a note; for the board only.' }),
    tool('delete_note', {
      title: 'Delete a note',
      annotations: { destructiveHint: true },
      inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    }),
    tool('draw_chart', { title: 'Draw a chart', description: 'A small image.' }),
    tool('search_notes', {
      title: 'Search notes',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
    }),
  ],
  everything: [
    tool('echo', {
      title: 'Echo',
      description: 'Answers with what it was given.',
      inputSchema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    }),
    tool('get-sum', {
      title: 'Sum',
      inputSchema: {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      },
    }),
    tool('trigger-long-running-operation', { description: 'Runs for a while and reports its progress.' }),
  ],
};

export const CONVERSATIONS: readonly Conversation[] = [
  {
    id: 'c1',
    title: 'Plan the garden week',
    status: 'running',
    waitingApprovals: 1,
    createdAtMs: minutesAgo(50),
    updatedAtMs: minutesAgo(1),
  },
  {
    id: 'c2',
    title: 'Which results can there be?',
    status: 'idle',
    waitingApprovals: 0,
    createdAtMs: minutesAgo(400),
    updatedAtMs: minutesAgo(300),
  },
  {
    id: 'c3',
    title: 'Count slowly',
    status: 'running',
    waitingApprovals: 0,
    createdAtMs: minutesAgo(500),
    updatedAtMs: minutesAgo(320),
  },
  {
    id: 'c4',
    title: 'When the model cannot be reached',
    status: 'interrupted',
    waitingApprovals: 0,
    createdAtMs: minutesAgo(900),
    updatedAtMs: minutesAgo(880),
  },
  {
    id: 'c5',
    title: 'An empty conversation',
    status: 'idle',
    waitingApprovals: 0,
    createdAtMs: minutesAgo(900),
    updatedAtMs: minutesAgo(890),
  },
];

export const ARTIFACTS: readonly Artifact[] = [
  {
    id: 'a1',
    title: 'Notes at a glance',
    version: 3,
    demo: true,
    createdAtMs: minutesAgo(9000),
    updatedAtMs: minutesAgo(9000),
    servers: [{ name: 'Demo', tools: ['list_notes', 'search_notes'] }],
    grants: [{ server: 'Demo', state: 'ask' }],
  },
  {
    id: 'a2',
    title: 'Household budget 2026: what is left at the end of each month',
    version: 1,
    demo: false,
    createdAtMs: minutesAgo(200),
    updatedAtMs: minutesAgo(200),
    servers: [
      { name: 'Budget', tools: ['get_budget'] },
      { name: 'Ledger', tools: ['balance', 'register'] },
    ],
    grants: [
      { server: 'Budget', state: 'allow' },
      { server: 'Ledger', state: 'deny' },
    ],
  },
  {
    id: 'a3',
    title: 'Clock',
    version: 1,
    demo: false,
    createdAtMs: minutesAgo(90),
    updatedAtMs: minutesAgo(90),
    servers: [],
    grants: [],
  },
];

const call = {
  type: 'tool_call',
  connectorId: 'demo',
  connectorName: 'Demo',
  arguments: {},
  origin: 'person',
} as const;
/** A red square of 8 × 6 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGP4z8CAFWEXHbwSABMcGekBx0pOAAAAAElFTkSuQmCC';

export const ITEMS: Readonly<Record<string, readonly Item[]>> = {
  c1: [
    {
      id: 'm1',
      type: 'user_message',
      createdAtMs: minutesAgo(3),
      text: 'Look through my notes and plan the garden work of this week.',
    },
    {
      id: 'm2',
      type: 'assistant_message',
      createdAtMs: minutesAgo(3),
      streaming: false,
      model: 'claude-sonnet',
      text: 'You have **four notes** about the garden. In this order they fit the weather:\n\n1. Prune the pear tree *before* Wednesday\n2. Sow lamb’s lettuce\n3. Mend the fence\n\n| Day | Work | Hours |\n| --- | --- | ---: |\n| Mon | Pear tree | 2 |\n| Tue | Lettuce | 1.5 |\n\nI will add the plan as a note, see the [manual](https://example.com/manual?page=2).',
    },
    {
      ...call,
      id: 'k1',
      createdAtMs: minutesAgo(2),
      tool: 'list_notes',
      title: 'List notes',
      origin: 'model',
      status: 'done',
      endedAtMs: minutesAgo(2) + 420,
      arguments: { label: 'garden' },
      result: { content: [{ type: 'text', text: '4 notes: pear tree, lamb’s lettuce, fence, compost' }] },
    },
    {
      ...call,
      id: 'k2',
      createdAtMs: minutesAgo(1),
      tool: 'add_note',
      title: 'Add a note',
      origin: 'model',
      status: 'waiting_approval',
      description: 'Adds a note to the board.',
      annotations: { readOnlyHint: false, destructiveHint: false },
      arguments: {
        title: 'Garden week',
        body: 'Mon: pear tree\nTue: lamb’s lettuce\nThu: fence <b>and</b> gate',
        priority: 'high',
        labels: ['garden', 'week 42'],
      },
    },
  ],
  c2: [
    {
      ...call,
      id: 'k3',
      createdAtMs: minutesAgo(310),
      tool: 'show_board',
      title: 'Show the board',
      status: 'done',
      endedAtMs: minutesAgo(310) + 85,
      viewUri: 'ui://demo/board',
      result: {
        content: [{ type: 'text', text: 'The board has 4 notes in 2 columns.' }],
        structuredContent: { columns: 2, notes: 4 },
      },
    },
    {
      ...call,
      id: 'k4',
      createdAtMs: minutesAgo(309),
      tool: 'draw_chart',
      title: 'Draw a chart',
      status: 'done',
      endedAtMs: minutesAgo(309) + 2400,
      arguments: { kind: 'bar' },
      result: {
        content: [
          { type: 'text', text: '## Chart\n\nTwo **bars**, see `data`.' },
          { type: 'image', data: PNG, mimeType: 'image/jpeg' },
          {
            type: 'resource_link',
            uri: 'https://example.com/report.pdf',
            name: 'report.pdf',
            description: 'The whole report',
          },
          {
            type: 'resource',
            resource: {
              uri: 'file:///notes/plan.md',
              mimeType: 'text/markdown',
              text: '# Plan\n\n- one\n- two',
            },
          },
          { type: 'audio', data: '', mimeType: 'audio/wav' },
          { type: 'hologram', depth: 3 },
        ],
        structuredContent: {
          title: 'Chart',
          bars: [
            { name: 'a', value: 3 },
            { name: 'b', value: 7.5 },
          ],
          done: true,
          note: null,
          'com.example.charts/where-the-numbers-come-from': 'https://statistics.example.com/2026/november',
          'com.example.charts/the-table-that-was-read-for-it': {
            'table/a-name-without-any-place-to-break-it-at': 1,
          },
        },
      },
    },
    {
      ...call,
      id: 'k5',
      createdAtMs: minutesAgo(308),
      tool: 'always_fails',
      title: 'Fail',
      status: 'tool_error',
      endedAtMs: minutesAgo(308) + 12,
      result: {
        isError: true,
        content: [{ type: 'text', text: 'There is no note 17.\nKnown notes: 1 to 4.' }],
      },
    },
    {
      ...call,
      id: 'k6',
      createdAtMs: minutesAgo(307),
      tool: 'slow_count',
      title: 'Count slowly',
      status: 'unknown',
      arguments: { steps: 40 },
    },
  ],
  c3: [
    {
      ...call,
      id: 'k7',
      createdAtMs: Date.now() - 4_000,
      tool: 'slow_count',
      title: 'Count slowly',
      status: 'running',
      arguments: { steps: 10 },
      progress: { progress: 4, total: 10, message: 'Step 4 of 10' },
    },
  ],
  c4: [
    { id: 'm3', type: 'user_message', createdAtMs: minutesAgo(881), text: 'Are you there?' },
    {
      id: 'p1',
      type: 'problem',
      createdAtMs: minutesAgo(880),
      code: 'provider_auth',
      message: 'The endpoint answered 401: invalid x-api-key.',
      retryable: false,
    },
  ],
  c5: [],
};

export const BOOTSTRAP: Omit<Bootstrap, 'connectors' | 'conversations' | 'artifacts'> = {
  seq: 100,
  version: '0.1.0',
  model: { configured: false },
  isolationProbe: '/probe',
};
