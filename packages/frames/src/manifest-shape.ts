import { MAX_NAME_LENGTH } from './limits.ts';
import { pointerStep } from './json-positions.ts';

/** Tools of one connector that a page may call. */
export interface ManifestServer {
  /** Display name of the connector, matched exactly. */
  readonly name: string;
  readonly tools: readonly string[];
}

/** What a page declares about itself. */
export interface Manifest {
  readonly title?: string;
  readonly mcp?: { readonly servers: readonly ManifestServer[] };
}

/** A complaint about one member; `pointer` is a JSON Pointer. */
export interface ShapeFault {
  readonly level: 'error' | 'warning';
  readonly pointer: string;
  readonly message: string;
}

const MAX_TITLE_LENGTH = 200;
const MAX_SERVERS = 32;
const MAX_TOOLS = 256;

/** Longest part of a foreign key that a complaint repeats, in UTF-16 units. */
const MAX_SHOWN_KEY = 80;

/** A key as complaints show it. */
export function shortKey(key: string): string {
  return key.length <= MAX_SHOWN_KEY ? key : `${key.slice(0, MAX_SHOWN_KEY)}…`;
}

/** Collects complaints while the manifest is built from the parts that are right. */
interface Check {
  readonly faults: ShapeFault[];
  error(pointer: string, message: string): undefined;
  unknownKeys(value: Record<string, unknown>, pointer: string, known: readonly string[]): void;
}

function createCheck(): Check {
  const faults: ShapeFault[] = [];
  return {
    faults,
    error(pointer, message) {
      faults.push({ level: 'error', pointer, message });
    },
    unknownKeys(value, pointer, known) {
      for (const key of Object.keys(value)) {
        if (known.includes(key)) continue;
        const message = `"${shortKey(key)}" is not known here and has no effect; known: ${known.join(', ')}`;
        faults.push({ level: 'warning', pointer: pointerStep(pointer, key), message });
      }
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_LENGTH;
}

function readTools(check: Check, value: unknown, pointer: string): string[] {
  if (!Array.isArray(value)) {
    check.error(pointer, '"tools" has to be a list of tool names');
    return [];
  }
  if (value.length > MAX_TOOLS) check.error(pointer, `at most ${MAX_TOOLS} tools for one server`);
  const names = new Set<string>();
  for (const [index, name] of value.slice(0, MAX_TOOLS).entries()) {
    if (isName(name)) names.add(name);
    else
      check.error(pointerStep(pointer, index), `a tool name is a text of 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return [...names];
}

function readServer(check: Check, value: unknown, pointer: string): ManifestServer | undefined {
  if (!isRecord(value)) return check.error(pointer, 'a server is an object with "name" and "tools"');
  check.unknownKeys(value, pointer, ['name', 'tools']);
  const tools = readTools(check, value['tools'], 'tools' in value ? pointerStep(pointer, 'tools') : pointer);
  const name = value['name'];
  if (isName(name)) return { name, tools };
  const at = 'name' in value ? pointerStep(pointer, 'name') : pointer;
  return check.error(at, `"name" is the connector's name, a text of 1 to ${MAX_NAME_LENGTH} characters`);
}

function readServers(check: Check, value: unknown, pointer: string): ManifestServer[] {
  if (!Array.isArray(value)) {
    check.error(pointer, '"servers" has to be a list');
    return [];
  }
  if (value.length > MAX_SERVERS) check.error(pointer, `at most ${MAX_SERVERS} servers`);
  const servers: ManifestServer[] = [];
  for (const [index, entry] of value.slice(0, MAX_SERVERS).entries()) {
    const at = pointerStep(pointer, index);
    const server = readServer(check, entry, at);
    if (server === undefined) continue;
    if (servers.some((other) => other.name === server.name)) {
      check.error(at, `the server "${server.name}" is named twice`);
    } else {
      servers.push(server);
    }
  }
  return servers;
}

function readMcp(check: Check, value: unknown): Manifest['mcp'] {
  if (!isRecord(value)) return check.error('/mcp', '"mcp" has to be an object with "servers"');
  check.unknownKeys(value, '/mcp', ['servers']);
  const at = 'servers' in value ? '/mcp/servers' : '/mcp';
  return { servers: readServers(check, value['servers'], at) };
}

/** Takes from a value whatever is a good manifest, and says what is wrong with the rest. */
export function checkManifest(value: unknown): { manifest: Manifest; faults: readonly ShapeFault[] } {
  const check = createCheck();
  if (!isRecord(value)) {
    check.error('', 'a manifest is an object');
    return { manifest: {}, faults: check.faults };
  }
  check.unknownKeys(value, '', ['title', 'mcp']);
  const title = value['title'];
  const goodTitle = typeof title === 'string' && title.length <= MAX_TITLE_LENGTH;
  if (title !== undefined && !goodTitle) {
    check.error('/title', `"title" is a text of at most ${MAX_TITLE_LENGTH} characters`);
  }
  const mcp = value['mcp'] === undefined ? undefined : readMcp(check, value['mcp']);
  const manifest: Manifest = {
    ...(goodTitle ? { title } : {}),
    ...(mcp === undefined ? {} : { mcp }),
  };
  return { manifest, faults: check.faults };
}
