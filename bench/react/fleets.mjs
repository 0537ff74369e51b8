// Servers in a process of their own: `{open: count}` starts a new fleet in place of the last one, `{add: index}`
// adds a tool to a server of it, which tells its sessions; every message is answered with what the fleet is like.
import { loadSource } from './load-source.mjs';

const { startFleet } = await loadSource('testing/mcp-fleet.ts');
let fleet;

async function obey({ open, add }) {
  if (open !== undefined) {
    await fleet?.close();
    fleet = await startFleet(open);
  }
  if (add !== undefined) fleet.servers[add].addTool('late');
  return {
    urls: fleet.servers.map(({ url }) => url),
    sessions: fleet.count('POST initialize'),
    streams: fleet.streams,
  };
}

process.on('message', (message) => void obey(message).then((answer) => process.send(answer)));
process.on('disconnect', () => process.exit(0));
