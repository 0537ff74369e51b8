import { ToggleGroup } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { MessageFilter } from './message-rows.ts';

export interface DirectionChoiceProps {
  readonly value: MessageFilter['direction'];
  readonly onChange: (direction: MessageFilter['direction']) => void;
}

const DIRECTIONS = ['all', 'sent', 'received'] as const;

/** Which way messages went that are shown. */
export function DirectionChoice({ value, onChange }: DirectionChoiceProps) {
  const { t } = useTranslation();
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      aria-label={t('inspector.direction')}
      onValueChange={(next) => {
        const chosen = DIRECTIONS.find((direction) => direction === next);
        // Pressing the chosen one again changes nothing.
        if (chosen !== undefined) onChange(chosen);
      }}
      className="control-height flex rounded-lg border border-line bg-sunken p-0.5"
    >
      {DIRECTIONS.map((direction) => (
        <ToggleGroup.Item
          key={direction}
          value={direction}
          className="rounded-md px-2.5 text-xs text-ink-soft transition-colors hover:text-ink data-[state=on]:bg-raised data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-card"
        >
          {t(`inspector.directions.${direction}`)}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
