import type { ToolCall } from '@portico/api';
import { Play, X } from 'lucide-react';
import { useEffect, useId } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { SchemaForm } from '../schema-form/schema-form.tsx';
import { sends, useArgumentsForm } from '../schema-form/use-arguments-form.ts';
import { useConsole } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { useAction } from '../ui/use-action.ts';

export interface ToolFormProps {
  readonly listed: ListedTool;
  /** The conversation the call goes to, made when there is none yet. */
  readonly conversationId: () => Promise<string>;
  readonly onStarted: (conversationId: string, call: ToolCall) => void;
  readonly onClose: () => void;
}

/** The form of one tool; Run is the person's approval. */
export function ToolForm({ listed, conversationId, onStarted, onClose }: ToolFormProps) {
  const { t } = useTranslation();
  const { api, newId } = useConsole();
  const { tool, connector } = listed;
  const { box, form, change, tried, take } = useArgumentsForm(tool.inputSchema);
  const action = useAction();
  useFocusFirstControl(box);
  const run = async (): Promise<void> => {
    const values = take();
    if (values === undefined) return;
    await action.run(async () => {
      const at = await conversationId();
      const call = { connectorId: connector.id, tool: tool.name, arguments: values, clientId: newId() };
      onStarted(at, await api.startCall(at, call));
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    if (sends(event)) {
      event.preventDefault();
      void run();
    }
  };
  return (
    <form
      ref={box}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-col"
    >
      <ToolFormHeader listed={listed} onClose={onClose} />
      <div className="max-h-[46dvh] overflow-y-auto px-4 pb-4">
        <SchemaForm schema={tool.inputSchema} form={form} onChange={change} showProblems={tried} />
      </div>
      <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <ActionError error={action.error} />
        </div>
        <kbd aria-hidden className="text-2xs text-ink-faint narrow:hidden">
          {t('composer.runKeys')}
        </kbd>
        <Button type="submit" look="primary" icon={Play} busy={action.busy}>
          {t('composer.run')}
        </Button>
      </div>
    </form>
  );
}

function ToolFormHeader({ listed, onClose }: Pick<ToolFormProps, 'listed' | 'onClose'>) {
  const { t } = useTranslation();
  const id = useId();
  const { tool, connector } = listed;
  return (
    <div className="flex items-start gap-3 px-4 pt-3 pb-3">
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-sm font-semibold">
          {tool.title ?? tool.name}
          <span className="ms-2 text-xs font-normal text-ink-faint">{connector.name}</span>
        </h2>
        {tool.description === undefined ? null : (
          <p dir="auto" className="mt-0.5 line-clamp-3 text-xs text-ink-soft">
            {tool.description}
          </p>
        )}
      </div>
      <IconButton
        label={t('composer.closeForm')}
        icon={X}
        onClick={onClose}
        className="-me-1.5 -mt-1 narrow:-mt-2.5"
      />
    </div>
  );
}

const CONTROLS = 'input:not([type="hidden"]), textarea, select, button[role="switch"]';

/** The person chose the tool just now, so the focus follows into its form. */
function useFocusFirstControl(box: React.RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const target =
      box.current?.querySelector<HTMLElement>(CONTROLS) ??
      box.current?.querySelector<HTMLElement>('button[type="submit"]');
    target?.focus({ preventScroll: true });
  }, [box]);
}
