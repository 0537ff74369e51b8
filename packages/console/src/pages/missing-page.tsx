import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Page } from '../shell/page.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Unknown and forbidden things look alike. */
export function MissingPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('missing.title')}>
      <EmptyState
        icon={Compass}
        title={t('missing.heading')}
        action={
          <Link to="/" className="text-accent underline underline-offset-2">
            {t('missing.home')}
          </Link>
        }
      >
        {t('missing.hint')}
      </EmptyState>
    </Page>
  );
}
