// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, inputResponse } from '@portico/server';
import { ErrorCode, ProtocolError } from '@portico/rpc';
import { z } from 'zod';
import { said } from './samples.mjs';

/**
 * @typedef {import('@portico/server').TaskStarter} TaskStarter
 */

const SHORT_MS = 200;

/**
 * Tools that answer with tasks.
 * @param {import('@portico/server').McpServer} mcp
 */
export function registerTaskTools(mcp) {
  registerJobs(mcp);
  registerAskingJobs(mcp);
}

/** The server of these tools has the extension. @param {import('@portico/server').ServerContext} context */
function tasksOf({ tasks }) {
  if (tasks === undefined) throw new TypeError('this server has no tasks');
  return tasks;
}

/** @param {import('@portico/server').McpServer} mcp */
function registerJobs(mcp) {
  const inputSchema = z.object({ seconds: z.number().min(0), label: z.string().optional() });
  mcp.registerTool(
    'slow_compute',
    { description: 'Takes the time it is told', inputSchema },
    async ({ seconds, label = 'nothing' }, context) => {
      const tasks = tasksOf(context);
      /** @param {AbortSignal} signal */
      const compute = async (signal) => {
        await sleep(seconds * 1000, undefined, { signal });
        return said(`Computed ${label} in ${seconds} s`);
      };
      return tasks.isSupported
        ? tasks.start(({ signal }) => compute(signal))
        : compute(context.mcpReq.signal);
    },
  );
  // Those who cannot be answered with a task get an error from `start`.
  mcp.registerTool('failing_job', { description: 'Fails after a while' }, (context) =>
    tasksOf(context).start(async () => {
      await sleep(SHORT_MS);
      throw new TypeError('This job fails whenever it is run');
    }),
  );
  mcp.registerTool('protocol_error_job', { description: 'Breaks off after a while' }, (context) =>
    tasksOf(context).start(async () => {
      await sleep(SHORT_MS);
      throw new ProtocolError(ErrorCode.InternalError, 'This job breaks off whenever it is run');
    }),
  );
}

const CONFIRMATION = z.object({ confirm: z.boolean() });

/** @param {string} message */
const confirmation = (message) => inputRequired.elicit({ message, requestedSchema: CONFIRMATION });

/** @param {import('@portico/server').McpServer} mcp */
function registerAskingJobs(mcp) {
  mcp.registerTool(
    'confirm_delete',
    { description: 'Asks before it deletes', inputSchema: z.object({ filename: z.string() }) },
    ({ filename }, context) =>
      tasksOf(context).start(async (task) => {
        const answers = await task.requestInput({ confirm: confirmation(`Delete ${filename}?`) });
        const answer = inputResponse(answers, 'confirm');
        return said(`${filename}: ${JSON.stringify(answer)}`);
      }),
  );
  mcp.registerTool('multi_input', { description: 'Asks two things at once' }, (context) =>
    tasksOf(context).start(async (task) => {
      const answers = await task.requestInput({
        first: confirmation('First?'),
        second: confirmation('Second?'),
      });
      return said(JSON.stringify(answers));
    }),
  );
  mcp.registerTool('test_tool_with_task', { description: 'Asks, then goes on as a task' }, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'user_name');
    if (answer.kind !== 'elicit' || answer.action !== 'accept') {
      const requestedSchema = z.object({ name: z.string() });
      const question = inputRequired.elicit({ message: 'What is your name?', requestedSchema });
      return inputRequired({ inputRequests: { user_name: question } });
    }
    const name = String(answer.content?.['name']);
    return tasksOf(context).start(() => said(`Done for ${name}`));
  });
}
