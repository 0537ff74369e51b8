import type { ConnectorStarts } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { Toggle } from '../ui/toggle.tsx';

export interface StartChoiceProps {
  readonly starts: ConnectorStarts;
  readonly onChange: (starts: ConnectorStarts) => void;
}

/** When a connector begins to run (K32). */
export function StartChoice({ starts, onChange }: StartChoiceProps) {
  const { t } = useTranslation();
  return (
    <Toggle
      label={t('connectors.startsWithPortico')}
      hint={t('connectors.startsWithPorticoHint')}
      checked={starts === 'with_portico'}
      onChange={(checked) => onChange(checked ? 'with_portico' : 'at_first_use')}
    />
  );
}
