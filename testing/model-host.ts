import { startHost } from './host-process.ts';
import type { HostProcess, HostProcessOptions } from './host-process.ts';
import { startScriptedModel } from './scripted-model.ts';
import type { RecordedRequest, ScriptedModel } from './scripted-model.ts';
import { badRequest } from './scripted-reply.ts';
import type { ScriptedReply } from './scripted-reply.ts';

/** Key that the host is given for the model; it must not come to light anywhere. */
export const MODEL_KEY = 'canary-of-the-model-key';

/** A scripted model whose replies each test lays out for itself. */
export interface ModelDesk {
  readonly model: ScriptedModel;
  /** What the model says to the requests that come next, in place of what was left of earlier ones. */
  nextReplies(...replies: readonly ScriptedReply[]): void;
  /** The newest request. */
  lastRequest(): RecordedRequest;
  /** Starts the built host with this model in its environment. */
  startHost(options?: HostProcessOptions): Promise<HostProcess>;
}

export async function openModelDesk(): Promise<ModelDesk> {
  let waiting: ScriptedReply[] = [];
  const model = await startScriptedModel({
    script: () => waiting.shift() ?? badRequest('no reply was laid out for this request'),
  });
  return {
    model,
    nextReplies: (...replies) => (waiting = [...replies]),
    lastRequest() {
      const request = model.requests.at(-1);
      if (request === undefined) throw new Error('the model was not asked yet');
      return request;
    },
    startHost: (options = {}) =>
      startHost({
        ...options,
        env: {
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: MODEL_KEY,
          PORTICO_MODEL: 'scripted-1',
          ...options.env,
        },
      }),
  };
}

/** How often a text stands in what the model was sent. */
export function timesInMessages({ body }: RecordedRequest, text: string): number {
  return JSON.stringify(body.messages).split(JSON.stringify(text).slice(1, -1)).length - 1;
}
