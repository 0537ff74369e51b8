import type { Connector, ConnectorAuth } from '@portico/api';
import { LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { showHidden } from '../ui/visible-text.ts';
import { openSignIn } from './open-sign-in.ts';

/** One way to sign in (K41), or to allow what is still missing: what that is, and why (K47). */
export function SignInInvitation({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { auth, name, status } = connector;
  const host = auth?.opens;
  const asks = auth?.asks;
  const wantsMore = asks !== undefined && auth?.signedIn === true;
  const hint = asks === undefined || status === 'needs_sign_in' ? t('signIn.hint') : t('signIn.partHint');
  const start = host === undefined ? t('signIn.start') : t('signIn.startAt', { host });
  const more = host === undefined ? t('signIn.more') : t('signIn.moreAt', { host });
  return (
    <Notice
      tone="warn"
      title={wantsMore ? t('signIn.moreTitle', { name }) : t('signIn.title', { name })}
      actions={
        <Button look="primary" icon={LogIn} onClick={() => openSignIn(connector.id, window)}>
          {wantsMore ? more : start}
        </Button>
      }
    >
      {wantsMore ? t('signIn.moreHint') : hint}
      {asks === undefined ? null : <Asks asks={asks} />}
    </Notice>
  );
}

/** Texts of servers: shown as such, with nothing hidden in them. */
function Asks({ asks: { scopes, reason } }: { readonly asks: NonNullable<ConnectorAuth['asks']> }) {
  const { t } = useTranslation();
  return (
    <>
      {reason === undefined ? null : (
        <p className="mt-2 [overflow-wrap:anywhere]">{t('signIn.reason', { reason: showHidden(reason) })}</p>
      )}
      {scopes.length === 0 ? null : (
        <div className="mt-2 flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span id="new-scopes" className="text-2xs font-medium text-ink-faint">
            {t('signIn.newScopes')}
          </span>
          <ul aria-labelledby="new-scopes" className="flex flex-wrap gap-1.5">
            {scopes.map((scope) => (
              <li key={scope} className="rounded-md border border-line bg-surface px-1.5 py-0.5">
                <code className="text-xs text-ink [overflow-wrap:anywhere]">{showHidden(scope)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
