import type { Connector, ConnectorAuth } from '@portico/api';
import { KeyRound, ListTree, LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { openSignIn, signInAddress } from './open-sign-in.ts';

export interface SignInPanelProps {
  readonly connector: Connector;
  readonly onSteps: () => void;
  readonly onIdentity: () => void;
}

/** Whether there is something to say about how an account signs in. */
export function wantsSignIn({ auth, status }: Connector): boolean {
  return auth !== undefined && (status === 'needs_sign_in' || auth.attempt !== undefined);
}

/** One way to sign in, what it waits for, and why it did not work (K41, K43). */
export function SignInPanel(props: SignInPanelProps) {
  const { auth } = props.connector;
  const attempt = auth?.attempt;
  if (attempt === undefined) return <Invitation connector={props.connector} />;
  if (attempt.status === 'running' || attempt.status === 'waiting') {
    return <Waiting connector={props.connector} attempt={attempt} />;
  }
  return <Ended {...props} attempt={attempt} />;
}

function Invitation({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const opens = connector.auth?.opens;
  return (
    <Notice
      tone="warn"
      title={t('signIn.title', { name: connector.name })}
      actions={
        <Button look="primary" icon={LogIn} onClick={() => openSignIn(connector.id, window)}>
          {opens === undefined ? t('signIn.start') : t('signIn.startAt', { host: opens })}
        </Button>
      }
    >
      {t('signIn.hint')}
    </Notice>
  );
}

type Attempt = NonNullable<ConnectorAuth['attempt']>;

function Waiting({ connector, attempt }: { readonly connector: Connector; readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  const isWaiting = attempt.status === 'waiting';
  return (
    <Notice
      tone="accent"
      title={isWaiting ? t('signIn.waiting', { host: attempt.opens ?? '' }) : t('signIn.looking')}
      actions={
        isWaiting ? (
          <>
            <Button busy={action.busy} onClick={() => void action.run(() => api.cancelSignIn(connector.id))}>
              {t('signIn.cancel')}
            </Button>
            <Button look="quiet" onClick={() => window.location.assign(signInAddress(connector.id, 'page'))}>
              {t('signIn.inPage')}
            </Button>
          </>
        ) : undefined
      }
    >
      {isWaiting ? t('signIn.waitingHint') : null}
      <ActionError error={action.error} />
    </Notice>
  );
}

function Ended({
  connector,
  attempt,
  onSteps,
  onIdentity,
}: SignInPanelProps & { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const cause = attempt.cause ?? 'other';
  const needsIdentity = cause === 'client_id_needed' || cause === 'registration_refused';
  return (
    <Notice
      tone={cause === 'cancelled' ? 'calm' : 'warn'}
      title={t(`signIn.cause.${cause}`)}
      actions={
        <>
          <Button look="primary" icon={LogIn} onClick={() => openSignIn(connector.id, window)}>
            {cause === 'cancelled' ? t('signIn.start') : t('signIn.again')}
          </Button>
          {needsIdentity ? (
            <Button icon={KeyRound} onClick={onIdentity}>
              {t('signIn.identityEnter')}
            </Button>
          ) : null}
          <Button look="quiet" icon={ListTree} onClick={onSteps}>
            {t('signIn.steps')}
          </Button>
        </>
      }
    >
      {t(`signIn.remedy.${cause}`)}
    </Notice>
  );
}
