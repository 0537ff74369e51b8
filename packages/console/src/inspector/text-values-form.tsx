import type { LucideIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { SuggestedField } from './suggested-field.tsx';
import type { Suggest } from './use-completion.ts';

/** What somebody has filled in. */
export interface TextValues {
  readonly given: Readonly<Record<string, string>>;
  readonly change: (name: string, text: string) => void;
  /** Whether somebody has tried to send it. */
  readonly tried: boolean;
  readonly setTried: (tried: boolean) => void;
}

/** Held above the panel that shows the form, which is another one in a narrow window. */
export function useTextValues(): TextValues {
  const [given, setGiven] = useState<TextValues['given']>({});
  const [tried, setTried] = useState(false);
  const change = (name: string, text: string): void => setGiven((before) => ({ ...before, [name]: text }));
  return { given, change, tried, setTried };
}

/** One value that is asked for. */
export interface TextValue {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** `unsaid` where nobody says whether it is. */
  readonly required: boolean | 'unsaid';
}

export interface TextValuesFormProps {
  readonly label: string;
  readonly entered: TextValues;
  readonly values: readonly TextValue[];
  readonly suggest: Suggest | undefined;
  readonly submitLabel: string;
  readonly icon: LucideIcon;
  readonly busy: boolean;
  /** False while there is nobody to send it to. */
  readonly ready: boolean;
  /** Only values that are filled in. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
  /** Shown above the button, for what is filled in now. */
  readonly preview?: (values: Readonly<Record<string, string>>) => ReactNode;
}

/** A form of texts, as prompts and templates want them. */
export function TextValuesForm(props: TextValuesFormProps) {
  const { t } = useTranslation();
  const { label, entered, values, submitLabel, icon, busy, ready, preview, onSubmit } = props;
  const { given, tried } = entered;
  const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
  const missing = values.filter(({ name, required }) => required === true && filled[name] === undefined);
  const submit = (): void => {
    entered.setTried(true);
    if (missing.length === 0 && ready && !busy) onSubmit(filled);
  };
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="rounded-xl border border-line bg-raised p-4 shadow-card"
    >
      <div className="flex flex-col gap-4">
        {values.length === 0 ? <p className="text-sm text-ink-soft">{t('form.noArguments')}</p> : null}
        {values.map((value) => (
          <ValueField
            key={value.name}
            value={value}
            given={given}
            error={tried && missing.includes(value) ? t('form.problem.required') : undefined}
            suggest={props.suggest}
            onChange={(text) => entered.change(value.name, text)}
          />
        ))}
        {preview?.(filled)}
      </div>
      <div className="mt-4 flex items-center justify-end gap-3">
        {ready ? null : <span className="text-xs text-ink-faint">{t('inspector.notConnected')}</span>}
        <Button type="submit" look="primary" icon={icon} busy={busy} disabled={!ready && !busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

interface ValueFieldProps {
  readonly value: TextValue;
  readonly given: Readonly<Record<string, string>>;
  readonly error: string | undefined;
  readonly suggest: Suggest | undefined;
  readonly onChange: (text: string) => void;
}

function ValueField({ value, given, error, suggest, onChange }: ValueFieldProps) {
  const { name } = value;
  const suggestHere = useMemo(
    () => (suggest === undefined ? undefined : (text: string) => suggest(name, text, given)),
    [suggest, name, given],
  );
  return (
    <SuggestedField
      label={value.label}
      value={given[name] ?? ''}
      required={value.required !== false}
      hint={value.description}
      error={error}
      suggest={suggestHere}
      onChange={onChange}
    />
  );
}
