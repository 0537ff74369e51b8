// What runs in the page; each function is sent there as text, so it uses nothing of this file.

/** Mounts the rows as `app`, and waits until all of them show all tools. @returns milliseconds */
export function mountUntilReady({ urls, strict }) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`not ready: ${document.body.innerText}`)), 60_000);
    const look = (_, observer) => {
      const lines = [...document.querySelectorAll('li')].map((row) => row.textContent);
      if (lines.filter((line) => line.endsWith(' ready 30')).length < urls.length) return;
      observer.disconnect();
      resolve(performance.now() - started);
    };
    const watched = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, watched);
    const started = performance.now();
    window.app = window.portico.mount({ urls, strict });
  });
}

/**
 * Opens a session with each server and asks it for its tools, as bare as can be. With `streams` it opens the
 * stream for the server's messages, too, and waits for nothing of it. @returns milliseconds
 */
export async function fetchTools({ urls, streams }) {
  const protocolVersion = '2025-11-25';
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (url, more, message) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const open = async (url) => {
    const clientInfo = { name: 'floor', version: '1.0.0' };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const opened = await post(url, {}, { id: 1, method: 'initialize', params });
    await opened.text();
    const more = {
      'mcp-session-id': opened.headers.get('mcp-session-id'),
      'mcp-protocol-version': protocolVersion,
    };
    await (await post(url, more, { method: 'notifications/initialized' })).text();
    const listed = post(url, more, { id: 2, method: 'tools/list' });
    if (streams) fetch(url, { headers: { ...more, accept: 'text/event-stream' } }).catch(() => undefined);
    const text = await (await listed).text();
    if (!text.includes('"tool-29"')) throw new Error(`no tools from ${url}: ${text}`);
  };
  const started = performance.now();
  await Promise.all(urls.map(open));
  return performance.now() - started;
}

/** How often all rows together rendered so far. */
export function rowRenders() {
  const counts = Object.entries(window.app.renders).filter(([name]) => /^s\d+$/.test(name));
  return counts.reduce((sum, [, count]) => sum + count, 0);
}
