// @ts-check
// A component that shows a view of a server, drawn to text as a host that renders ahead does.
import assert from 'node:assert/strict';
import { renderToString } from 'react-dom/server';
// #region component
import { ViewRenderer } from '@portico/react';
import { createElement } from 'react';

/**
 * @param {{
 *   server: import('@portico/react').McpServer,
 *   callId: string,
 *   input?: Record<string, unknown>,
 *   output?: NonNullable<import('@portico/react').ViewRendererProps['toolOutput']>,
 * }} props
 */
function DiceView({ server, callId, input, output }) {
  return createElement(ViewRenderer, {
    source: { server, tool: 'roll_dice' },
    // One view for each call of the tool.
    viewId: callId,
    // A page of another origin that shows what it is sent; see below for what happens without.
    sandboxUrl: 'https://views.example.net/sandbox.html',
    toolInput: input,
    toolOutput: output,
    onOpenLink: (url) => {
      const may = window.confirm(`Open ${url}?`);
      if (may) window.open(url, '_blank', 'noopener');
      return may;
    },
    onError: ({ code, message }) => console.warn(code, message),
  });
}
// #endregion

/** @type {unknown} */
const connecting = { state: 'discovering', tools: [] };
const server = /** @type {import('@portico/react').McpServer} */ (connecting);
const text = renderToString(createElement(DiceView, { server, callId: 'call-1' }));
assert.equal(text, '<div></div>');
console.log(`ahead of the page: ${text}`);
