/**
 * The card's own small client for MCP Apps: JSON-RPC with the window above, which is the only one
 * whose messages are listened to. A view cannot know its host's origin, so its messages go to
 * whoever embeds it; they hold nothing but made-up weather.
 */
export const WEATHER_VIEW_SCRIPT: string = String.raw`
const host = window.parent;
const open = new Map();
let nextId = 1;
let unit = 'celsius';
let report = null;
let asked = { station: 'Larkhaven' };
const at = (id) => document.getElementById(id);

const post = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (method, params) => post({ method, params });
const request = (method, params) =>
  new Promise((resolve, reject) => {
    const id = nextId++;
    open.set(id, { resolve, reject });
    post({ id, method, params });
  });

const PICTURES = {
  clear: '<circle cx="28" cy="28" r="11"/><g stroke-linecap="round"><path d="M28 5v6M28 45v6M5 28h6M45 28h6M12 12l4 4M40 40l4 4M12 44l4-4M40 16l4-4"/></g>',
  cloudy: '<path d="M17 42h23a9 9 0 0 0 1-18 13 13 0 0 0-25-2 10 10 0 0 0 1 20z"/>',
  rain: '<path d="M17 34h23a9 9 0 0 0 1-18 13 13 0 0 0-25-2 10 10 0 0 0 1 20z"/><path stroke-linecap="round" d="M20 41l-3 8M29 41l-3 8M38 41l-3 8"/>',
  wind: '<path stroke-linecap="round" d="M6 20h26a6 6 0 1 0-6-6M6 29h38a6 6 0 1 1-6 6M6 38h18a5 5 0 1 1-5 5"/>',
  fog: '<path stroke-linecap="round" d="M10 16h36M6 26h40M12 36h38M8 46h34"/>',
};

const degrees = (celsius) =>
  Math.round(unit === 'celsius' ? celsius : celsius * 1.8 + 32);

function draw() {
  if (report === null) return;
  document.querySelector('.card').dataset.condition = report.condition;
  at('station').textContent = report.station;
  at('summary').textContent = report.summary;
  at('temperature').textContent = String(degrees(report.temperatureC));
  at('unit').textContent = unit === 'celsius' ? '°C' : '°F';
  at('wind').textContent = report.windKmh + '\u00a0km/h';
  at('humidity').textContent = report.humidityPercent + '\u00a0%';
  at('observed').textContent = new Date(report.observedAt).toLocaleTimeString([], { timeStyle: 'short' });
  const picture = PICTURES[report.condition] ?? PICTURES.cloudy;
  at('sky').innerHTML =
    '<svg viewBox="0 0 56 56" fill="none" stroke="currentColor" stroke-width="3">' + picture + '</svg>';
  at('hours').replaceChildren(
    ...report.nextHours.map((hour) => {
      const item = document.createElement('li');
      const degree = document.createElement('b');
      degree.textContent = degrees(hour.temperatureC) + '°';
      const bar = document.createElement('i');
      bar.style.setProperty('--rain', hour.chanceOfRainPercent + '%');
      bar.title = hour.chanceOfRainPercent + ' % chance of rain';
      const when = document.createTextNode(String(hour.hour).padStart(2, '0') + ':00');
      item.append(degree, bar, when);
      return item;
    }),
  );
}

const isReport = (value) =>
  typeof value === 'object' && value !== null && typeof value.station === 'string' && Array.isArray(value.nextHours);

function take(result) {
  if (result?.isError !== true && isReport(result?.structuredContent)) {
    report = result.structuredContent;
    asked = { station: report.station };
    at('status').textContent = '';
    draw();
    return;
  }
  at('status').textContent = result?.content?.[0]?.text ?? 'The station gave no report.';
}

function applyContext(context) {
  if (context?.theme === 'light' || context?.theme === 'dark') {
    document.documentElement.dataset.theme = context.theme;
  }
  for (const [name, value] of Object.entries(context?.styles?.variables ?? {})) {
    if (name.startsWith('--font') && typeof value === 'string') {
      document.documentElement.style.setProperty(name, value);
    }
  }
}

const UNIT_TOOL = {
  name: 'set_unit',
  title: 'Set the unit',
  description: 'Shows temperatures on this card in celsius or fahrenheit.',
  inputSchema: {
    type: 'object',
    properties: { unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['unit'],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
};

function callOwnTool({ name, arguments: given = {} } = {}) {
  const said = (text, isError = false) => ({ content: [{ type: 'text', text }], isError });
  if (name !== UNIT_TOOL.name) throw { code: -32602, message: 'Unknown tool: ' + name };
  if (given.unit !== 'celsius' && given.unit !== 'fahrenheit') return said('The unit is celsius or fahrenheit.', true);
  unit = given.unit;
  draw();
  return said('The card now shows ' + unit + '.');
}

const SERVED = {
  ping: () => ({}),
  'tools/list': () => ({ tools: [UNIT_TOOL] }),
  'tools/call': callOwnTool,
  'ui/resource-teardown': () => ({}),
};

const HEARD = {
  'ui/notifications/tool-input': (params) => {
    if (typeof params?.arguments?.station === 'string') asked = { station: params.arguments.station };
  },
  'ui/notifications/tool-result': take,
  'ui/notifications/tool-cancelled': () => (at('status').textContent = 'The call was stopped.'),
  'ui/notifications/host-context-changed': applyContext,
};

function answer({ id, method, params }) {
  const serve = Object.hasOwn(SERVED, method) ? SERVED[method] : undefined;
  if (serve === undefined) return post({ id, error: { code: -32601, message: 'Method not found: ' + method } });
  try {
    post({ id, result: serve(params) });
  } catch (error) {
    post({ id, error: { code: error.code ?? -32603, message: error.message ?? 'Internal error' } });
  }
}

window.addEventListener('message', (event) => {
  const message = event.data;
  if (event.source !== host || message?.jsonrpc !== '2.0') return;
  if (typeof message.method === 'string') {
    if (message.id !== undefined) answer(message);
    else if (Object.hasOwn(HEARD, message.method)) HEARD[message.method](message.params);
    return;
  }
  const call = open.get(message.id);
  open.delete(message.id);
  if (message.error) call?.reject(message.error);
  else call?.resolve(message.result);
});

at('refresh').addEventListener('click', async () => {
  const button = at('refresh');
  button.disabled = true;
  at('status').textContent = 'Asking the station…';
  try {
    take(await request('tools/call', { name: 'get_weather', arguments: asked }));
  } catch (error) {
    at('status').textContent = error.message ?? 'The call failed.';
  } finally {
    button.disabled = false;
  }
});

let told = '';
function tellSize() {
  const { width } = document.documentElement.getBoundingClientRect();
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  const size = { width: Math.ceil(width), height };
  if (JSON.stringify(size) === told) return;
  told = JSON.stringify(size);
  notify('ui/notifications/size-changed', size);
}

request('ui/initialize', {
  appInfo: { name: 'portico-demo-weather', title: 'Weather card', version: '1.0.0' },
  appCapabilities: { tools: {}, availableDisplayModes: ['inline', 'fullscreen'] },
  protocolVersion: '2026-01-26',
}).then(
  ({ hostContext }) => {
    applyContext(hostContext);
    notify('ui/notifications/initialized');
    tellSize();
    new ResizeObserver(tellSize).observe(document.body);
  },
  (error) => (at('status').textContent = 'The host does not answer: ' + error.message),
);
`;
