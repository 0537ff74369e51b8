import { Plus, X } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import { parseLines } from './name-values.ts';
import type { NameValue } from './name-values.ts';

export interface SecretListProps {
  readonly legend: string;
  readonly hint: string;
  readonly nameLabel: string;
  readonly addLabel: string;
  readonly entries: readonly NameValue[];
  readonly onChange: (entries: readonly NameValue[]) => void;
}

/** Names with secret values. A stored value is never shown: it says that it is set and can be replaced. */
export function SecretList({ legend, hint, nameLabel, addLabel, entries, onChange }: SecretListProps) {
  const { newId } = useConsole();
  const change = (key: string, part: Partial<NameValue>): void =>
    onChange(entries.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)));
  const paste = (event: ClipboardEvent, key: string): void => {
    const pairs = parseLines(event.clipboardData.getData('text'));
    if (pairs === undefined) return;
    event.preventDefault();
    const added = pairs.map(([name, value]): NameValue => ({ key: newId(), name, value, stored: false }));
    onChange([...entries.filter((entry) => entry.key !== key), ...added]);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium">{legend}</legend>
      <p className="mb-2 text-xs text-ink-faint">{hint}</p>
      <div className="flex flex-col gap-2">
        {entries.map((entry) => (
          <SecretRow
            key={entry.key}
            entry={entry}
            nameLabel={nameLabel}
            onChange={(part) => change(entry.key, part)}
            onPaste={(event) => paste(event, entry.key)}
            onRemove={() => onChange(entries.filter(({ key }) => key !== entry.key))}
          />
        ))}
      </div>
      <Button
        look="quiet"
        icon={Plus}
        className="mt-1 -ms-2 px-2"
        onClick={() => onChange([...entries, { key: newId(), name: '', value: '', stored: false }])}
      >
        {addLabel}
      </Button>
    </fieldset>
  );
}

interface SecretRowProps {
  readonly entry: NameValue;
  readonly nameLabel: string;
  readonly onChange: (part: Partial<NameValue>) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onRemove: () => void;
}

function SecretRow({ entry, nameLabel, onChange, onPaste, onRemove }: SecretRowProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-2 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
      <input
        aria-label={nameLabel}
        placeholder={nameLabel}
        value={entry.name}
        readOnly={entry.stored}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        onChange={(event) => onChange({ name: event.target.value })}
        onPaste={onPaste}
        className={`${CONTROL_LOOK} font-code text-xs read-only:bg-sunken`}
      />
      <IconButton
        label={t('connectors.removeValue', { name: entry.name === '' ? nameLabel : entry.name })}
        icon={X}
        onClick={onRemove}
        className="md:order-last"
      />
      {entry.value === null ? (
        <div className="control-height col-span-2 flex items-center gap-2 rounded-lg border border-dashed border-line-strong/60 ps-3 pe-1 md:col-span-1">
          <span className="flex-1 text-xs text-ink-faint">{t('connectors.valueSet')}</span>
          <Button look="quiet" className="min-h-8 px-2.5 text-xs" onClick={() => onChange({ value: '' })}>
            {t('connectors.replaceValue')}
          </Button>
        </div>
      ) : (
        <input
          id={id}
          type="password"
          aria-label={t('connectors.valueOf', { name: entry.name === '' ? nameLabel : entry.name })}
          placeholder={t('connectors.value')}
          value={entry.value}
          autoComplete="off"
          dir="ltr"
          onChange={(event) => onChange({ value: event.target.value })}
          className={`${CONTROL_LOOK} col-span-2 font-code text-xs md:col-span-1`}
        />
      )}
    </div>
  );
}
