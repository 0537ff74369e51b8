import type { Options } from './contract/options.ts';
import { AgentError } from './errors.ts';
import { isPermissionMode } from './permissions/permission-state.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isFunction: Check = (value) => typeof value === 'function';
const isFields: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList: Check = (value) => Array.isArray(value) && value.every(isText);
const isCount =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least;

/** What each option must be. */
const OPTION_CHECKS: Readonly<Record<keyof Options, Check>> = {
  abortController: (value) => value instanceof AbortController,
  additionalDirectories: isTextList,
  allowedTools: isTextList,
  appendSystemPrompt: isText,
  canUseTool: isFunction,
  continue: isFlag,
  customSystemPrompt: isText,
  cwd: isText,
  disallowedTools: isTextList,
  env: isFields,
  executable: isText,
  executableArgs: isTextList,
  extraArgs: isFields,
  fallbackModel: isText,
  forkSession: isFlag,
  hooks: isFields,
  includePartialMessages: isFlag,
  maxThinkingTokens: isCount(0),
  maxTurns: isCount(1),
  mcpServers: isFields,
  model: isText,
  pathToClaudeCodeExecutable: isText,
  permissionMode: isPermissionMode,
  permissionPromptToolName: isText,
  resume: isText,
  resumeSessionAt: isText,
  stderr: isFunction,
  strictMcpConfig: isFlag,
  portico: isFields,
};

/** Options of a program that was started per query; here the loop runs in this process. */
const WITHOUT_EFFECT = ['executable', 'executableArgs', 'extraArgs', 'pathToClaudeCodeExecutable'] as const;

const bad = (option: string, why: string): AgentError =>
  new AgentError('invalid_option', { option }, { message: `${option}: ${why}` });

function checkTogether(options: Options): void {
  if (options.resumeSessionAt !== undefined && options.resume === undefined) {
    throw bad('resumeSessionAt', 'needs resume');
  }
  if (options.forkSession === true && options.resume === undefined) throw bad('forkSession', 'needs resume');
  if (options.resume !== undefined && options.portico?.sessionStore === undefined) {
    throw bad('resume', 'needs portico.sessionStore, as nothing else keeps sessions');
  }
  if (options.resume !== undefined && options.portico?.sessionId !== undefined) {
    throw bad('resume', 'cannot be used with portico.sessionId');
  }
  if (options.fallbackModel !== undefined && options.fallbackModel === options.model) {
    throw bad('fallbackModel', 'must differ from model');
  }
}

function checkAvailable(options: Options): void {
  const missing = (option: keyof Options): never => {
    throw new AgentError(
      'option_not_available',
      { option },
      { message: `${option} is not available in this version.` },
    );
  };
  if (options.continue === true) missing('continue');
  if (options.permissionPromptToolName !== undefined) missing('permissionPromptToolName');
}

/**
 * Looks through the options of a query.
 * @returns warnings about options that are unknown or have no effect here
 * @throws AgentError `invalid_option` naming the option that cannot be used, or
 * `option_not_available` for one that asks for what this version cannot do
 */
export function checkOptions(options: Options): string[] {
  const fields: Fields = options;
  const warnings: string[] = [];
  for (const [option, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(OPTION_CHECKS, option)) warnings.push(`There is no option ${option}.`);
    else if (!OPTION_CHECKS[option as keyof Options](value))
      throw bad(option, 'has a value of the wrong kind');
  }
  checkTogether(options);
  checkAvailable(options);
  const idle = WITHOUT_EFFECT.filter((option) => options[option] !== undefined);
  if (idle.length > 0)
    warnings.push(`No program is started for a query, so these have no effect: ${idle.join(', ')}.`);
  return warnings;
}
