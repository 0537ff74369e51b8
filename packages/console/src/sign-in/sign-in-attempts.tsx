import type { SignInAttempt, SignInStep } from '@portico/api';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toConsoleError } from '../errors.ts';
import type { ConsoleError } from '../errors.ts';
import { formatDate } from '../i18n/format.ts';
import { useConsole } from '../state/console-context.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { showHidden } from '../ui/visible-text.ts';
import { attemptText, detailText } from './attempt-text.ts';

export interface SignInAttemptsProps {
  readonly connectorId: string;
  /** Another value makes the list be read again. */
  readonly version: string;
}

/** Every attempt to sign in with its steps, the newest first (K42). */
export function SignInAttempts({ connectorId, version }: SignInAttemptsProps) {
  const { t } = useTranslation();
  const { attempts, error } = useAttempts(connectorId, version);
  return (
    <section aria-labelledby="attempts-title">
      <h2 id="attempts-title" className="mb-2 text-sm font-semibold">
        {t('signIn.attempts')}
      </h2>
      <ActionError error={error} />
      {attempts?.length === 0 ? <p className="text-sm text-ink-soft">{t('signIn.attemptsNone')}</p> : null}
      <ul className="flex flex-col gap-2">
        {(attempts ?? []).map((attempt, index) => (
          <Attempt key={attempt.id} attempt={attempt} open={index === 0} />
        ))}
      </ul>
    </section>
  );
}

function useAttempts(connectorId: string, version: string) {
  const { api } = useConsole();
  const [state, setState] = useState<{ attempts?: readonly SignInAttempt[]; error?: ConsoleError }>({});
  useEffect(() => {
    let current = true;
    api.signInAttempts(connectorId).then(
      (attempts) => current && setState({ attempts }),
      (thrown: unknown) => current && setState({ error: toConsoleError(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [api, connectorId, version]);
  return { attempts: state.attempts, error: state.error };
}

function Attempt({ attempt, open }: { readonly attempt: SignInAttempt; readonly open: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <li className="rounded-2xl border border-line bg-raised shadow-card">
      <details open={open}>
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 px-4 py-3 text-sm">
          <span className="font-medium">{formatDate(attempt.startedAtMs, i18n.language)}</span>
          <span className="text-ink-soft">{t(`signIn.attemptStatus.${attempt.status}`)}</span>
        </summary>
        <div className="border-t border-line px-4 py-3">
          {attempt.cause === undefined ? null : (
            <p className="mb-2 text-sm [overflow-wrap:anywhere]">
              {t(`signIn.cause.${attempt.cause}`)}{' '}
              {attempt.message === undefined ? null : (
                <span className="text-ink-soft">{showHidden(attempt.message)}</span>
              )}
            </p>
          )}
          <ol className="flex flex-col gap-2">
            {attempt.steps.map((step, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- steps have no identity besides their place
              <Step key={index} step={step} />
            ))}
          </ol>
          <p className="mt-3 flex items-center gap-2 text-2xs text-ink-faint">
            <CopyButton text={attemptText(attempt)} label={t('signIn.copySteps')} />
            {t('signIn.copyHint')}
          </p>
        </div>
      </details>
    </li>
  );
}

function Step({ step }: { readonly step: SignInStep }) {
  const { t } = useTranslation();
  const address = step.url === undefined ? undefined : `${step.method ?? ''} ${step.url}`.trim();
  return (
    <li className="text-xs leading-5">
      <span className="font-medium">{t(`signIn.step.${step.step}`, { defaultValue: step.step })}</span>{' '}
      <span className="text-ink-soft">
        {t(`signIn.outcome.${step.outcome}`, { defaultValue: step.outcome })}
        {step.status === undefined ? '' : ` (${step.status})`}
      </span>
      {address === undefined ? null : (
        <code className="block text-ink-soft [overflow-wrap:anywhere]">{showHidden(address)}</code>
      )}
      {step.detail === undefined ? null : (
        <code className="block text-ink-faint [overflow-wrap:anywhere]">
          {showHidden(detailText(step.detail))}
        </code>
      )}
    </li>
  );
}
