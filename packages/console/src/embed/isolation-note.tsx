import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useHost } from '../state/console-context.tsx';

/** Above a view or artifact that has no origin of its own: what that costs, with the way to the reason. */
export function IsolationNote() {
  const { t } = useTranslation();
  const isolated = useHost((state) => state.isolatedOrigins);
  if (isolated) return null;
  return (
    <p role="status" className="border-b border-line bg-warn-soft px-3.5 py-2 text-xs text-ink-soft">
      {t('settings.notIsolated')}{' '}
      <Link to="/settings" hash="about" className="text-ink underline underline-offset-2">
        {t('settings.notIsolatedWhy')}
      </Link>
    </p>
  );
}
