import type { Connector } from '@portico/api';
import { KeyRound, LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { AskedScopes } from './asked-scopes.tsx';
import { openSignIn } from './open-sign-in.ts';

export interface SignInInvitationProps {
  readonly connector: Connector;
  readonly onIdentity: () => void;
}

/** One way to sign in (K41), or to allow what is still missing: what that is, and why (K47). */
export function SignInInvitation({ connector, onIdentity }: SignInInvitationProps) {
  const { t } = useTranslation();
  const { auth, name, status } = connector;
  const asks = auth?.asks;
  const isApplication = auth?.actsAs === 'application';
  const wantsMore = asks !== undefined && auth?.signedIn === true;
  const hint = asks === undefined || status === 'needs_sign_in' ? t('signIn.hint') : t('signIn.partHint');
  const moreHint = isApplication ? t('signIn.applicationMoreHint') : t('signIn.moreHint');
  return (
    <Notice
      tone="warn"
      title={wantsMore ? t('signIn.moreTitle', { name }) : t('signIn.title', { name })}
      actions={
        isApplication ? (
          <Button look="primary" icon={KeyRound} onClick={onIdentity}>
            {t('signIn.applicationChange')}
          </Button>
        ) : (
          <SignInButton connector={connector} />
        )
      }
    >
      {wantsMore ? moreHint : hint}
      {auth === undefined ? null : <AskedScopes auth={auth} />}
    </Notice>
  );
}

/** Opens the sign-in of a person, by the name of the site that it opens. */
export function SignInButton({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { asks, attempt, opens: host, signedIn } = connector.auth ?? {};
  const isUnderWay = attempt?.status === 'running' || attempt?.status === 'waiting';
  const start = host === undefined ? t('signIn.start') : t('signIn.startAt', { host });
  const more = host === undefined ? t('signIn.more') : t('signIn.moreAt', { host });
  const label = asks !== undefined && signedIn === true ? more : start;
  return (
    <Button
      look={isUnderWay ? 'outline' : 'primary'}
      icon={LogIn}
      onClick={() => openSignIn(connector.id, window)}
    >
      {isUnderWay ? t('signIn.openAgain') : label}
    </Button>
  );
}
