import type { ViewSession } from '@portico/api';
import type { ServerAnswer, ViewHostHandlers } from '@portico/react/views';
import { openableUrl } from '../conversation/outside-link.tsx';
import { toConsoleError } from '../errors.ts';
import type { ConsoleServices } from '../state/console-context.tsx';

/** JSON-RPC's number for a fault on the answering side. */
const INTERNAL_ERROR = -32603;

export interface ViewPlace {
  readonly conversationId: string;
  readonly session: ViewSession;
}

/** What this page does for a view: calls to its own server, links and messages after asking, details. */
export function createViewHandlers(
  services: ConsoleServices,
  { conversationId, session }: ViewPlace,
): ViewHostHandlers {
  const { api, prompts, viewFacts, newId } = services;
  const { id } = session.call;
  return {
    async serverRequest(request, { signal }) {
      try {
        const answer = await api.viewRequest(
          session.viewId,
          { ...request, params: { ...request.params } },
          signal,
        );
        return answer as ServerAnswer;
      } catch (thrown) {
        return { error: { code: INTERNAL_ERROR, message: toConsoleError(thrown).message } };
      }
    },
    async openLink(address) {
      const url = openableUrl(address);
      if (url === undefined) return false;
      const answer = await prompts.ask({ kind: 'link', url, from: session.connectorName });
      return answer['open'] === 'allow';
    },
    async sendMessage(content) {
      const text = content
        .flatMap((block) => (block.type === 'text' ? [block.text] : []))
        .join('\n\n')
        .trim();
      if (text === '') return false;
      const answer = await prompts.ask({ kind: 'message', text, from: session.connectorName });
      if (answer['send'] !== 'allow') return false;
      await api.sendMessage(conversationId, text, newId());
      return true;
    },
    onInitialized: (info) => viewFacts.change(id, { status: 'ready', appName: info.appInfo.name }),
    onAppTools: (appTools) => viewFacts.change(id, { appTools }),
    onRefusal: (refusal) => viewFacts.addRefusal(id, refusal),
    onLog: ({ level, data }) =>
      viewFacts.addLog(
        id,
        `${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`.slice(0, 2_000),
      ),
  };
}
