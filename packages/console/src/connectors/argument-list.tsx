import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import type { ListEntry } from './connector-draft.ts';

export interface ArgumentListProps {
  readonly entries: readonly ListEntry[];
  readonly onChange: (entries: readonly ListEntry[]) => void;
}

/** Every argument in a box of its own: what stands in one box reaches the program as one argument. */
export function ArgumentList({ entries, onChange }: ArgumentListProps) {
  const { t } = useTranslation();
  const { newId } = useConsole();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-xs font-medium">{t('connectors.arguments')}</legend>
      <ol className="flex flex-col gap-2">
        {entries.map((entry, index) => (
          <li key={entry.key} className="flex items-center gap-2">
            <span aria-hidden className="w-5 text-end text-2xs tabular-nums text-ink-faint">
              {index + 1}
            </span>
            <input
              aria-label={t('connectors.argument', { number: index + 1 })}
              value={entry.text}
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              onChange={(event) =>
                onChange(
                  entries.map((each) =>
                    each.key === entry.key ? { ...each, text: event.target.value } : each,
                  ),
                )
              }
              className={`${CONTROL_LOOK} font-code text-xs`}
            />
            <IconButton
              label={t('connectors.removeArgument', { number: index + 1 })}
              icon={X}
              onClick={() => onChange(entries.filter(({ key }) => key !== entry.key))}
            />
          </li>
        ))}
      </ol>
      <Button
        look="quiet"
        icon={Plus}
        className="mt-1 -ms-2 px-2"
        onClick={() => onChange([...entries, { key: newId(), text: '' }])}
      >
        {t('connectors.addArgument')}
      </Button>
    </fieldset>
  );
}
