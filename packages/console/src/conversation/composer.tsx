import type { Conversation, Item } from '@portico/api';
import { useConsole } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { MessageBox } from './message-box.tsx';
import { ToolForm } from './tool-form.tsx';

export interface ComposerProps {
  /** Undefined before the first message: then a conversation is made with it. */
  readonly conversation: Conversation | undefined;
  readonly tool: ListedTool | undefined;
  readonly onTool: (tool: ListedTool | undefined) => void;
  readonly onStarted: (conversationId: string, item: Item) => void;
}

/** The message box. Without a model it launches tools; with one it talks, and `/` launches tools. */
export function Composer({ conversation, tool, onTool, onStarted }: ComposerProps) {
  const conversationId = useConversationId(conversation);
  return (
    <div className="rounded-2xl border border-line-strong/45 bg-raised shadow-lift transition-colors focus-within:border-line-strong">
      {tool === undefined ? (
        <MessageBox
          conversation={conversation}
          conversationId={conversationId}
          onTool={onTool}
          onStarted={onStarted}
        />
      ) : (
        <ToolForm
          key={`${tool.connector.id} ${tool.tool.name}`}
          listed={tool}
          conversationId={conversationId}
          onClose={() => onTool(undefined)}
          onStarted={(at, call) => {
            onTool(undefined);
            onStarted(at, call);
          }}
        />
      )}
    </div>
  );
}

function useConversationId(conversation: Conversation | undefined): () => Promise<string> {
  const { api, host } = useConsole();
  return async () => {
    if (conversation !== undefined) return conversation.id;
    const created = await api.createConversation();
    host.addConversation(created);
    return created.id;
  };
}
