import type { Connector } from '@portico/api';
import type { Tool } from '@portico/spec';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../schema-form/json-value.ts';
import { SchemaForm } from '../schema-form/schema-form.tsx';
import { sending, useArgumentsForm } from '../schema-form/use-arguments-form.ts';
import type { ArgumentsForm } from '../schema-form/use-arguments-form.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { ElicitationForm } from './elicitation-form.tsx';
import { TrialOutcome } from './trial-outcome.tsx';
import { useToolCalling } from './use-tool-calling.ts';
import type { ToolCalling } from './use-tool-calling.ts';

/** What somebody has filled in for a tool, and how the call with it is going. */
export interface ToolDesk extends ToolCalling {
  readonly entered: ArgumentsForm;
}

/** Held above the panel that shows it, which is another one in a narrow window. */
export function useToolDesk(connectorId: string, tool: Tool): ToolDesk {
  const entered = useArgumentsForm(tool.inputSchema);
  return { entered, ...useToolCalling(connectorId, tool.name) };
}

export interface ToolTrialProps {
  readonly connector: Connector;
  readonly tool: Tool;
  readonly desk: ToolDesk;
}

/** Calls a tool with what the person fills in. Nobody else is asked: it is the person who acts. */
export function ToolTrial({ connector, tool, desk }: ToolTrialProps) {
  const { t } = useTranslation();
  const { entered, trial, ready, run, cancel } = desk;
  const { box, form, change, tried, take } = entered;
  const [asked, setAsked] = useState<JsonObject>();
  const name = tool.title ?? tool.name;
  const submit = (): void => {
    if (!ready || trial.phase === 'running') return;
    const values = take();
    if (values === undefined) return;
    if (tool.annotations?.destructiveHint === true) setAsked(values);
    else run(values);
  };
  return (
    <>
      <form
        ref={box}
        aria-label={t('inspector.tryTool', { tool: name })}
        {...sending(submit)}
        className="rounded-xl border border-line bg-raised p-4 shadow-card"
      >
        <SchemaForm schema={tool.inputSchema} form={form} onChange={change} showProblems={tried} />
        <RunBar ready={ready} running={trial.phase === 'running'} />
      </form>
      {trial.phase === 'running' ? <ElicitationForm connector={connector} /> : null}
      <TrialOutcome tool={name} trial={trial} onCancel={cancel} />
      <ConfirmDialog
        open={asked !== undefined}
        title={t('inspector.destructiveTitle', { tool: name })}
        description={t('inspector.destructiveHint')}
        confirmLabel={t('inspector.runAnyway')}
        onConfirm={() => asked !== undefined && run(asked)}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function RunBar({ ready, running }: { readonly ready: boolean; readonly running: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 flex items-center justify-end gap-3">
      {ready ? (
        <kbd aria-hidden className="text-2xs text-ink-faint narrow:hidden">
          {t('composer.runKeys')}
        </kbd>
      ) : (
        <span className="text-xs text-ink-faint">{t('inspector.notConnected')}</span>
      )}
      <Button type="submit" look="primary" icon={Play} busy={running} disabled={!ready && !running}>
        {t('composer.run')}
      </Button>
    </div>
  );
}
