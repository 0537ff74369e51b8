import type { ImportEntry } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { FieldError, TextAreaField } from '../ui/field.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import { classNames } from '../ui/class-names.ts';
import { showHidden } from '../ui/visible-text.ts';

/** One found entry with the person's choice about it. */
export interface ImportChoice {
  readonly key: string;
  readonly entry: ImportEntry;
  readonly name: string;
  readonly chosen: boolean;
  readonly error?: string;
  readonly added: boolean;
}

export const canAdd = ({ entry }: ImportChoice): boolean =>
  entry.input !== undefined && (entry.status === 'new' || entry.status === 'name_clash');

export interface ImportFormProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly choices: readonly ImportChoice[];
  readonly onChoices: (choices: readonly ImportChoice[]) => void;
}

const EXAMPLE =
  '{\n  "mcpServers": {\n    "everything": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-everything"]\n    }\n  }\n}';

export function ImportForm({ text, onText, choices, onChoices }: ImportFormProps) {
  const { t } = useTranslation();
  const change = (key: string, part: Partial<ImportChoice>): void =>
    onChoices(choices.map((choice) => (choice.key === key ? { ...choice, ...part } : choice)));
  return (
    <div className="flex flex-col gap-4">
      <TextAreaField
        label={t('connectors.importText')}
        hint={t('connectors.importHint')}
        placeholder={EXAMPLE}
        rows={choices.length === 0 ? 10 : 4}
        dir="ltr"
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="font-code text-xs"
      />
      {choices.length === 0 ? null : (
        <ul
          aria-label={t('connectors.importFound')}
          className="divide-y divide-line rounded-xl border border-line"
        >
          {choices.map((choice) => (
            <ImportRow key={choice.key} choice={choice} onChange={(part) => change(choice.key, part)} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ImportRowProps {
  readonly choice: ImportChoice;
  readonly onChange: (part: Partial<ImportChoice>) => void;
}

function ImportRow({ choice, onChange }: ImportRowProps) {
  const { t } = useTranslation();
  const { entry } = choice;
  const usable = canAdd(choice) && !choice.added;
  return (
    <li className="flex items-start gap-3 px-3.5 py-3">
      <input
        type="checkbox"
        aria-label={t('connectors.importChoose', { name: entry.name })}
        checked={choice.chosen && usable}
        disabled={!usable}
        onChange={(event) => onChange({ chosen: event.target.checked })}
        className="mt-1 size-4 shrink-0"
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className={classNames('font-medium', !usable && 'text-ink-faint')}>
            {showHidden(entry.name)}
          </span>
          <span className={classNames('text-xs', entry.status === 'new' ? 'text-good' : 'text-warn')}>
            {choice.added ? t('connectors.importAdded') : t(`connectors.importStatus.${entry.status}`)}
          </span>
        </div>
        {entry.input === undefined ? null : (
          <code className="mt-0.5 block text-xs text-ink-faint [overflow-wrap:anywhere]">
            {inputLine(entry.input)}
          </code>
        )}
        {entry.reason === undefined ? null : <p className="mt-0.5 text-xs text-ink-soft">{entry.reason}</p>}
        {entry.status === 'name_clash' && usable ? (
          <input
            aria-label={t('connectors.importNewName', { name: entry.name })}
            value={choice.name}
            onChange={(event) =>
              onChange({ name: event.target.value, chosen: event.target.value.trim() !== entry.name })
            }
            className={`${CONTROL_LOOK} mt-2 max-w-72`}
          />
        ) : null}
        {choice.error === undefined ? null : <FieldError>{choice.error}</FieldError>}
      </div>
    </li>
  );
}

function inputLine({ transport }: NonNullable<ImportEntry['input']>): string {
  return showHidden(
    transport.kind === 'http' ? transport.url : [transport.command, ...transport.args].join(' '),
  );
}
