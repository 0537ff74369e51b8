import type { SignInCause, SignInResult } from '@portico/api';
import { Link, useRouter } from '@tanstack/react-router';
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
  const attempt = result?.attempt;
  return (
    <Page title={t('signIn.account')}>
      {isStranger(error) ? <Failure cause="unknown_state" /> : <ActionError error={error} />}
      {result === undefined && error === undefined ? <Notice title={t('signIn.finishing')} /> : null}
      {attempt?.status === 'done' ? (
        <Notice tone="accent" title={t('signIn.finished')}>
          {t('signIn.finishedHint')}
        </Notice>
      ) : null}
      {attempt === undefined || attempt.status === 'done' ? null : (
        <Failure cause={attempt.cause ?? 'other'} connectorId={attempt.connectorId} />
      )}
    </Page>
  );
}

/** A way back that belongs to no attempt of this browser has no connector to tell it at. */
function isStranger(error: ConsoleError | undefined): boolean {
  return error?.issues.includes('cause: unknown_state') === true;
}

interface FailureProps {
  readonly cause: SignInCause;
  readonly connectorId?: string;
}

function Failure({ cause, connectorId }: FailureProps) {
  const { t } = useTranslation();
  const look = 'text-sm font-medium underline';
  return (
    <Notice
      tone="warn"
      alert
      title={t(`signIn.cause.${cause}`)}
      actions={
        connectorId === undefined ? (
          <Link to="/connectors" className={look}>
            {t('signIn.toConnectors')}
          </Link>
        ) : (
          <Link to="/connectors/$connectorId" params={{ connectorId }} className={look}>
            {t('signIn.toConnector')}
          </Link>
        )
      }
    >
      {t(`signIn.remedy.${cause}`)}
    </Notice>
  );
}

function useFinish() {
  const { api } = useConsole();
  const { history } = useRouter();
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
        const connector = `/connectors/${encodeURIComponent(result.attempt.connectorId)}`;
        if (result.mode === 'page') history.replace(result.back ?? connector);
      },
      (thrown: unknown) => setState({ error: toConsoleError(thrown) }),
    );
  }, [api, history, query]);
  return state;
}
