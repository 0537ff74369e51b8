// @ts-check
// An application over managed servers: a list, a row for each, a button that calls a tool.
// #region app
import { McpClientProvider, useMcpServer } from '@portico/react';
import { useMcpServerIds } from '@portico/react/observe';
import { createElement as h, useState } from 'react';

/** @param {{ id: string }} props */
function ServerRow({ id }) {
  // Drawn again when this server changes, and for no other.
  const server = useMcpServer(id);
  const [greeting, setGreeting] = useState('');
  if (server === undefined) return null;

  const greet = async () => {
    const { content } = await server.callTool('greet', { name: 'Ada' });
    setGreeting(content.map((block) => ('text' in block ? block.text : '')).join(' '));
  };
  return h(
    'li',
    null,
    h('b', null, server.displayName ?? server.name),
    ` ${server.state}, ${server.tools.length} tools `,
    server.state === 'pending_auth' && h('button', { onClick: server.authenticate }, 'Sign in'),
    server.state === 'failed' && h('span', { role: 'alert' }, server.error),
    server.state === 'ready' && h('button', { onClick: greet }, 'Greet'),
    greeting !== '' && h('output', null, greeting),
  );
}

function ServerList() {
  const ids = useMcpServerIds();
  return h('ul', null, ...ids.map((id) => h(ServerRow, { key: id, id })));
}

/** @param {{ servers: Record<string, import('@portico/react').McpServerConfig> }} props */
export function App({ servers }) {
  return h(McpClientProvider, { mcpServers: servers }, h(ServerList));
}
// #endregion
