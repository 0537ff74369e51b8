/**
 * Each section answers for itself: one failed call marks its own section and the others stay. What
 * is shown depends on the error's code, and only a read that is marked retryable is tried once more.
 */
export const DEMO_ARTIFACT_SCRIPT: string = String.raw`
const SERVER = 'Portico demo';
const STATIONS = ['Larkhaven', 'Port Amber', 'Mistral Point', 'Old Foundry'];
const at = (id) => document.getElementById(id);

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const EXPLANATIONS = {
  needs_reauth: 'The connector’s sign-in has lapsed. Reconnect “' + SERVER + '” under Connectors, then refresh.',
  server_not_connected: 'You have no connector called “' + SERVER + '”. Add it under Connectors, then refresh.',
  server_not_found: 'The connector “' + SERVER + '” is gone. Add it again under Connectors.',
  selection_required: 'You have several connectors called “' + SERVER + '”. Choose one when you are asked, then refresh.',
  server_unavailable: 'The connector does not answer just now. Try again in a moment.',
  rate_limited: 'Too many calls at once. Wait a few seconds, then refresh.',
  not_in_manifest: 'This page was not published with the right to make this call.',
  blocked_by_policy: 'Your organisation does not allow this call.',
  approval_required: 'This call needs an approval for each use, which a page cannot ask for.',
  not_granted: 'You did not allow this page to use your connectors.',
  capability_disabled: 'Connectors cannot be used in this view.',
  capability_removed: 'This view is too old or too new for this page.',
  bad_request: 'This page made a mistake in its call.',
  transform_error: 'This page made a mistake in its call.',
  cancelled: 'The call was stopped.',
};

const explain = (error) =>
  error?.code === 'tool_error'
    ? 'The tool reports: ' + error.message
    : (EXPLANATIONS[error?.code] ?? 'Something went wrong on the way to the connector.');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function read(tool, input) {
  const call = () => window.claude.mcp.callTool(SERVER, tool, input, { cache: { refresh: true } });
  try {
    return await call();
  } catch (error) {
    if (error?.retryable !== true) throw error;
    await wait((error.retryAfterMs ?? 400) + Math.random() * 400);
    return call();
  }
}

function stationCard(name) {
  const card = element('li', 'station');
  card.append(element('h3', '', name));
  return card;
}

async function fillStation(card, name) {
  try {
    const { payload } = await read('get_weather', { station: name });
    const degrees = element('p', 'degrees', payload.temperatureC.toFixed(1) + '°');
    const wind = 'Wind ' + payload.windKmh + '\u00a0km/h, humidity ' + payload.humidityPercent + '\u00a0%';
    card.className = 'station';
    card.replaceChildren(element('h3', '', name), degrees, element('p', 'summary', payload.summary), element('p', 'wind', wind));
    return true;
  } catch (error) {
    card.className = 'station failed';
    card.querySelector('.explanation')?.remove();
    card.append(element('p', 'explanation', explain(error)));
    card.dataset.code = error?.code ?? 'upstream_error';
    return false;
  }
}

async function fillNotes() {
  const box = at('notes');
  try {
    const { payload } = await read('list_notes', {});
    const list = element('ol');
    for (const note of payload.notes) list.append(element('li', '', note.text));
    box.replaceChildren(payload.notes.length > 0 ? list : element('p', '', 'Nothing noted yet.'));
    return true;
  } catch (error) {
    if (box.childElementCount === 0) box.append(element('p', '', explain(error)));
    return false;
  }
}

const cards = STATIONS.map(stationCard);
at('stations').append(...cards);

async function refresh() {
  const button = at('refresh');
  button.disabled = true;
  at('status').textContent = 'Asking the stations…';
  const results = await Promise.all([...cards.map((card, index) => fillStation(card, STATIONS[index])), fillNotes()]);
  const failed = results.filter((good) => !good).length;
  const time = new Date().toLocaleTimeString([], { timeStyle: 'medium' });
  at('status').textContent =
    failed === 0 ? 'Read at ' + time + '.' : failed + ' of ' + results.length + ' readings failed at ' + time + '.';
  button.disabled = false;
}

at('refresh').addEventListener('click', refresh);

if (window.claude?.mcp === undefined) {
  at('refresh').disabled = true;
  at('status').textContent = 'Open this page in Portico: only there can it read your connectors.';
} else {
  refresh();
}
`;
