import type { Connector, ConnectorAuth } from '@portico/api';
import { KeyRound, ListTree, LogIn, Pencil } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { openSignIn, signInHere } from './open-sign-in.ts';
import { SIGN_IN_ACTIONS } from './sign-in-actions.ts';
import type { SignInAction } from './sign-in-actions.ts';
import { SignInInvitation } from './sign-in-invitation.tsx';

export interface SignInPanelProps {
  readonly connector: Connector;
  readonly onSteps: () => void;
  readonly onIdentity: () => void;
  readonly onEdit: () => void;
}

/** Whether there is something to say about how an account signs in. */
export function wantsSignIn({ auth, status, action }: Connector): boolean {
  // One that brings a header of its own wants another header.
  if (auth === undefined || (status === 'needs_sign_in' && action === 'edit')) return false;
  return status === 'needs_sign_in' || auth.attempt !== undefined || auth.asks !== undefined;
}

/** One way to sign in, what it waits for, and why it did not work (K41, K43). */
export function SignInPanel(props: SignInPanelProps) {
  const { auth } = props.connector;
  const attempt = auth?.attempt;
  if (attempt === undefined) {
    return <SignInInvitation connector={props.connector} onIdentity={props.onIdentity} />;
  }
  if (attempt.status === 'running' || attempt.status === 'waiting') {
    return <Waiting {...props} attempt={attempt} />;
  }
  return <Ended {...props} attempt={attempt} />;
}

type Attempt = NonNullable<ConnectorAuth['attempt']>;

type AttemptProps = SignInPanelProps & { readonly attempt: Attempt };

function Waiting({ connector, attempt, onIdentity }: AttemptProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  if (attempt.status !== 'waiting') return <Notice tone="accent" title={t('signIn.looking')} />;
  return (
    <Notice
      tone="accent"
      title={t('signIn.waiting', { host: attempt.opens ?? '' })}
      actions={
        <>
          <Button icon={LogIn} onClick={() => openSignIn(connector.id, window)}>
            {t('signIn.openAgain')}
          </Button>
          <Button busy={action.busy} onClick={() => void action.run(() => api.cancelSignIn(connector.id))}>
            {t('signIn.cancel')}
          </Button>
          <Button look="quiet" className="narrow:hidden" onClick={() => signInHere(connector.id, window)}>
            {t('signIn.inPage')}
          </Button>
          <Button look="quiet" onClick={onIdentity}>
            {t('signIn.action.redirect_mismatch')}
          </Button>
        </>
      }
    >
      {t('signIn.waitingHint')}
      <ActionError error={action.error} />
    </Notice>
  );
}

const ICONS: Readonly<Record<SignInAction, LucideIcon>> = {
  'sign-in': LogIn,
  identity: KeyRound,
  edit: Pencil,
  steps: ListTree,
};

const APPLICATION_ACTIONS: readonly SignInAction[] = ['identity', 'steps'];

function Ended({ connector, attempt, onSteps, onIdentity, onEdit }: AttemptProps) {
  const { t } = useTranslation();
  const cause = attempt.cause ?? 'other';
  const isApplication = connector.auth?.actsAs === 'application';
  // Nobody can go anywhere for it: only other credentials help.
  const actions = isApplication ? APPLICATION_ACTIONS : SIGN_IN_ACTIONS[cause];
  const opens = connector.auth?.opens;
  const run: Readonly<Record<SignInAction, () => void>> = {
    'sign-in': () => openSignIn(connector.id, window),
    identity: onIdentity,
    edit: onEdit,
    steps: onSteps,
  };
  const labels: Readonly<Record<SignInAction, string>> = {
    'sign-in': t('signIn.again'),
    identity: isApplication ? t('signIn.applicationChange') : t('signIn.identityEnter'),
    edit: t('connectors.edit'),
    steps: t('signIn.steps'),
  };
  return (
    <Notice
      tone={cause === 'cancelled' ? 'calm' : 'warn'}
      title={t(`signIn.cause.${cause}`)}
      actions={actions.map((action, index) => (
        <Button
          key={action}
          look={index === 0 ? 'primary' : action === 'steps' ? 'quiet' : 'outline'}
          icon={ICONS[action]}
          onClick={run[action]}
        >
          {index === 0 && !isApplication ? t(`signIn.action.${cause}`) : labels[action]}
        </Button>
      ))}
    >
      {t(`signIn.remedy.${cause}`)}
      {actions[0] === 'sign-in' && opens !== undefined ? ` ${t('signIn.opens', { host: opens })}` : null}
    </Notice>
  );
}
