import type { SignInResult } from '@portico/api';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toConsoleError } from '../errors.ts';
import type { ConsoleError } from '../errors.ts';
import { Page } from '../shell/page.tsx';
import { useConsole } from '../state/console-context.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';

/** Where a sign-in at another site ends: hands over what the browser came back with, once. */
export function SignedInPage() {
  const { t } = useTranslation();
  const { result, error } = useFinish();
  const failed = result !== undefined && result.attempt.status !== 'done';
  return (
    <Page title={t('signIn.account')}>
      <ActionError error={error} />
      {result === undefined && error === undefined ? <Notice title={t('signIn.finishing')} /> : null}
      {result?.attempt.status === 'done' ? (
        <Notice tone="accent" title={t('signIn.finished')}>
          {t('signIn.finishedHint')}
        </Notice>
      ) : null}
      {failed ? (
        <Notice
          tone="warn"
          alert
          title={t(`signIn.cause.${result.attempt.cause ?? 'other'}`)}
          actions={
            <Link
              to="/connectors/$connectorId"
              params={{ connectorId: result.attempt.connectorId }}
              className="text-sm font-medium underline"
            >
              {t('signIn.toConnector')}
            </Link>
          }
        >
          {t(`signIn.remedy.${result.attempt.cause ?? 'other'}`)}
        </Notice>
      ) : null}
    </Page>
  );
}

function useFinish() {
  const { api } = useConsole();
  const navigate = useNavigate();
  const [state, setState] = useState<{ result?: SignInResult; error?: ConsoleError }>({});
  // Read once: the code stays neither in the address nor in the history.
  const [query] = useState(() => window.location.search);
  useEffect(() => {
    if (query === '') return;
    window.history.replaceState(null, '', window.location.pathname);
    api.finishSignIn(query).then(
      (result) => {
        setState({ result });
        if (result.mode === 'window' && result.attempt.status === 'done') window.close();
        if (result.mode === 'page') {
          const params = { connectorId: result.attempt.connectorId };
          void navigate({ to: '/connectors/$connectorId', params, replace: true });
        }
      },
      (thrown: unknown) => setState({ error: toConsoleError(thrown) }),
    );
  }, [api, navigate, query]);
  return state;
}
