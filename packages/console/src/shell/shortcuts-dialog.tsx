import { useTranslation } from 'react-i18next';
import { useConsole, usePreferences } from '../state/console-context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Toggle } from '../ui/toggle.tsx';

const KEYS = [
  'palette',
  'regions',
  'shortcuts',
  'composer',
  'home',
  'artifacts',
  'connectors',
  'settings',
] as const;
const LABELS: Readonly<Record<(typeof KEYS)[number], string>> = {
  palette: 'Ctrl/⌘ K',
  regions: 'F6',
  shortcuts: '?',
  composer: '/',
  home: 'h',
  artifacts: 'a',
  connectors: 'c',
  settings: 's',
};

export function ShortcutsDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { preferences } = useConsole();
  const enabled = usePreferences((state) => state.shortcuts);
  return (
    <Dialog open={open} onClose={onClose} title={t('shortcuts.title')}>
      <dl className="divide-y divide-line">
        {KEYS.map((key) => (
          <div key={key} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-sm">{t(`shortcuts.${key}`)}</dt>
            <dd>
              <kbd className="rounded-md border border-line bg-sunken px-2 py-0.5 text-xs">{LABELS[key]}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4">
        <Toggle
          label={t('shortcuts.singleKeys')}
          hint={t('shortcuts.singleKeysHint')}
          checked={enabled}
          onChange={(shortcuts) => preferences.setState({ shortcuts })}
        />
      </div>
    </Dialog>
  );
}
