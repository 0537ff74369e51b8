import { resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { systemClock } from '@portico/rpc';
import { checkOptions } from '../check-options.ts';
import type { SDKMessage } from '../contract/messages.ts';
import type { Options } from '../contract/options.ts';
import { AgentError } from '../errors.ts';
import { createHookCaller } from '../hooks/run-hooks.ts';
import { connectServers } from '../mcp/connect-servers.ts';
import { createPermissionState } from '../permissions/permission-state.ts';
import { readRules } from '../permissions/rules.ts';
import { defaultProvider } from '../provider/default-provider.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import { openSession } from '../session/session-log.ts';
import { readCatalog } from '../tools/tool-catalog.ts';
import type { Prompt } from './prompt-feed.ts';
import type { Run } from './run.ts';
import { createUsageBook } from './usage.ts';

const DEFAULT_HOOK_TIMEOUT_MS = 60_000;
/** Most different warnings of one query. */
const MAX_WARNINGS = 1000;

/** What the driver of a query gives its run. */
export interface RunWiring {
  emit(message: SDKMessage, signal?: AbortSignal): Promise<void>;
  arrivedPrompts(): Prompt[];
}

/** A run with the one thing that controls change in it. */
export interface OpenRun {
  readonly run: Run;
  /** Without a name, back to the model of the start. */
  setModel(model: string | undefined): void;
}

/** Each warning once: what is wrong with a tool list is found anew before every request. */
function createWarn(options: Options): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text) || said.size >= MAX_WARNINGS) return;
    said.add(text);
    try {
      options.stderr?.(text);
    } catch {
      // Warnings are a courtesy: who cannot take them must not stop the query.
    }
  };
}

async function workingDirectory(options: Options): Promise<string> {
  const cwd = resolve(options.cwd ?? '');
  if (options.cwd === undefined) return cwd;
  const exists = await stat(cwd).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!exists)
    throw new AgentError(
      'invalid_option',
      { option: 'cwd' },
      { message: `cwd: there is no directory ${cwd}` },
    );
  return cwd;
}

function startModel(options: Options, provider: ModelProvider): string {
  const model = options.model ?? options.env?.['ANTHROPIC_MODEL'] ?? provider.defaultModel;
  if (model === undefined || model === '') {
    throw new AgentError(
      'invalid_option',
      { option: 'model' },
      { message: `model: the provider ${provider.name} has no default` },
    );
  }
  return model;
}

function permissionsOf(options: Options, warn: (text: string) => void) {
  return createPermissionState({
    mode: options.permissionMode ?? 'default',
    allow: readRules(options.allowedTools ?? [], 'allow', warn),
    deny: readRules(options.disallowedTools ?? [], 'deny', warn),
    warn,
  });
}

function sessionOf(options: Options) {
  return openSession({
    store: options.portico?.sessionStore,
    resume: options.resume,
    sessionId: options.portico?.sessionId,
    fork: options.forkSession === true,
    resumeAt: options.resumeSessionAt,
  });
}

/**
 * Gets everything ready that a query's turns need. Nothing is asked of the model yet.
 * @throws AgentError `invalid_option`, `option_not_available`, `session_not_found`, `session_failed`
 */
export async function openRun(options: Options, wiring: RunWiring): Promise<OpenRun> {
  const warn = createWarn(options);
  for (const warning of checkOptions(options)) warn(warning);
  const portico = options.portico ?? {};
  const clock = portico.clock ?? systemClock;
  const cwd = await workingDirectory(options);
  const permissions = permissionsOf(options, warn);
  const provider = portico.provider ?? (await defaultProvider(options.env ?? {}));
  const firstModel = startModel(options, provider);
  let model = firstModel;
  const session = await sessionOf(options);
  const hooks = createHookCaller({
    hooks: options.hooks ?? {},
    clock,
    timeoutMs: portico.hookTimeoutMs ?? DEFAULT_HOOK_TIMEOUT_MS,
    base: () => ({ session_id: session.id, transcript_path: '', cwd, permission_mode: permissions.mode }),
    warn,
  });
  const mcp = connectServers(options, { clock, cwd, warn });
  const refusedTools = new Set<string>();
  const run: Run = {
    options,
    portico,
    provider,
    apiKeySource: provider.apiKeySource ?? 'user',
    clock,
    cwd,
    session,
    permissions,
    hooks,
    mcp,
    usageBook: createUsageBook(portico.prices ?? {}),
    refusedTools,
    model: () => model,
    catalog: () =>
      readCatalog(mcp.sources, (tool) => !permissions.hides(tool) && !refusedTools.has(tool.name), warn),
    emit: (message, signal) => wiring.emit(message, signal),
    arrivedPrompts: () => wiring.arrivedPrompts(),
    warn,
  };
  return { run, setModel: (next) => (model = next ?? firstModel) };
}
