import { KeyRound, ServerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '../shell/brand.tsx';
import { useConsole, useHost } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, Loading } from '../ui/states.tsx';

/** What stands in place of the console until the host has answered, or when it cannot be used. */
export function StartScreen() {
  const { t } = useTranslation();
  const { host } = useConsole();
  const phase = useHost((state) => state.phase);
  const problem = useHost((state) => state.problem);
  if (phase === 'no_session') {
    return (
      <Centre>
        <EmptyState icon={KeyRound} title={t('start.noSession')}>
          <p>{t('start.noSessionHint')}</p>
          <pre className="mt-4 rounded-lg bg-sunken px-4 py-2.5 text-start">npm start</pre>
        </EmptyState>
      </Centre>
    );
  }
  if (phase === 'failed') {
    return (
      <Centre>
        <EmptyState
          icon={ServerOff}
          title={t('start.failed')}
          action={<Button onClick={() => void host.retry()}>{t('general.retry')}</Button>}
        >
          <p>{problem?.code === 'unreachable' ? t('errors.unreachable') : problem?.message}</p>
        </EmptyState>
      </Centre>
    );
  }
  return (
    <Centre>
      <Loading label={t('start.loading')} />
    </Centre>
  );
}

function Centre({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <main className="grid h-full place-items-center bg-paper p-4">
      <div className="w-full max-w-lg">
        <h1 className="flex items-center justify-center gap-2 text-lg font-semibold">
          <BrandMark className="size-6 text-accent" />
          {t('shell.product')}
        </h1>
        {children}
      </div>
    </main>
  );
}
