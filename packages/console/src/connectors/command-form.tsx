import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { TextField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { ActionError } from '../ui/error-text.tsx';
import { ArgumentList } from './argument-list.tsx';
import { suggestName } from './connector-draft.ts';
import type { CommandDraft } from './connector-draft.ts';
import { SecretList } from './secret-list.tsx';
import { StartChoice } from './start-choice.tsx';

/** How long typing has to rest before the line is split, in milliseconds. */
const SPLIT_AFTER_MS = 250;

export interface CommandFormProps {
  readonly draft: CommandDraft;
  readonly onChange: (draft: CommandDraft) => void;
  /** With the box that a whole command line can be pasted into. */
  readonly withLine: boolean;
}

export function CommandForm({ draft, onChange, withLine }: CommandFormProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      {withLine ? <CommandLine draft={draft} onChange={onChange} /> : null}
      {!withLine || draft.command !== '' ? (
        <>
          <div className="rounded-xl border border-line bg-surface p-3.5">
            <div className="flex flex-col gap-3">
              <TextField
                label={t('connectors.command')}
                value={draft.command}
                dir="ltr"
                onChange={(event) => onChange({ ...draft, command: event.target.value })}
                className="font-code text-xs"
              />
              <ArgumentList entries={draft.args} onChange={(args) => onChange({ ...draft, args })} />
            </div>
          </div>
          <TextField
            label={t('connectors.name')}
            hint={t('connectors.nameHint')}
            value={draft.name}
            maxLength={64}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
          <SecretList
            legend={t('connectors.environment')}
            hint={t('connectors.environmentHint')}
            nameLabel={t('connectors.variable')}
            addLabel={t('connectors.addVariable')}
            entries={draft.env}
            onChange={(env) => onChange({ ...draft, env })}
          />
          <TextField
            label={t('connectors.folder')}
            optional={t('general.optional')}
            hint={t('connectors.folderHint')}
            value={draft.cwd}
            dir="ltr"
            onChange={(event) => onChange({ ...draft, cwd: event.target.value })}
            className="font-code text-xs"
          />
          <StartChoice starts={draft.starts} onChange={(starts) => onChange({ ...draft, starts })} />
        </>
      ) : null}
    </div>
  );
}

function CommandLine({ draft, onChange }: Omit<CommandFormProps, 'withLine'>) {
  const { t } = useTranslation();
  const { api, clock, newId } = useConsole();
  const { run, error } = useAction();
  const { line } = draft;
  useEffect(() => {
    if (line.trim() === '') return;
    const split = async (): Promise<void> => {
      const { command, args } = await api.splitCommand(line);
      const name = draft.name === '' ? suggestName(command, args) : draft.name;
      onChange({ ...draft, name, command, args: args.map((text) => ({ key: newId(), text })) });
    };
    const timer = clock.setTimer(SPLIT_AFTER_MS, () => void run(split));
    return () => timer.cancel();
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the line may overwrite what was edited below it
  }, [line]);
  return (
    <>
      <TextField
        label={t('connectors.commandLine')}
        hint={t('connectors.commandLineHint')}
        placeholder="npx -y @modelcontextprotocol/server-everything"
        value={line}
        dir="ltr"
        onChange={(event) => onChange({ ...draft, line: event.target.value })}
        className="font-code text-xs"
      />
      <ActionError error={error} />
    </>
  );
}
