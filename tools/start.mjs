#!/usr/bin/env node
// `npm start`: installs and builds what is missing, then hands over to the host's own command.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled, requireNode } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
requireNode();
ensureInstalled(root);
const { ensureBuilt } = await import('./build.mjs');
await ensureBuilt();
const { main } = await import(pathToFileURL(join(root, 'packages/host/dist/cli/main.js')).href);
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
