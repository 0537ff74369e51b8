import type { Connector, ConnectorAuth } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { Square } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { AskedScopes } from '../sign-in/asked-scopes.tsx';
import { SignInButton } from '../sign-in/sign-in-invitation.tsx';
import { useConnector, useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import type { CallCardProps } from './call-card-props.ts';

/**
 * Says in the conversation that a call waits for a sign-in, or for more permission and for which (K47), and
 * offers it where the call waits (K46).
 */
export function CallSignIn({ conversationId, call }: CallCardProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  const connector = useConnector(call.connectorId);
  const name = connector === undefined ? call.connectorName : accountName(connector);
  const auth = connector?.auth;
  const isApplication = auth?.actsAs === 'application';
  return (
    <div className="border-t border-warn-line p-3.5">
      <Notice
        tone="warn"
        title={titleOf(t, name, auth)}
        actions={
          <>
            {connector === undefined || isApplication ? null : <SignInButton connector={connector} />}
            <Button
              icon={Square}
              busy={action.busy}
              onClick={() => void action.run(() => api.cancelCall(conversationId, call.id))}
            >
              {t('callSignIn.stop')}
            </Button>
          </>
        }
      >
        <p>{hintOf(t, auth)}</p>
        {auth === undefined ? null : <AskedScopes auth={auth} />}
        {connector === undefined ? null : <HowItGoes connector={connector} />}
        <ActionError error={action.error} />
      </Notice>
    </div>
  );
}

function hintOf(t: TFunction, auth: ConnectorAuth | undefined): string {
  if (auth?.actsAs === 'application') return t('callSignIn.applicationHint');
  return auth?.asks !== undefined && auth.signedIn ? t('callSignIn.moreHint') : t('callSignIn.hint');
}

/** A server that was never signed in to asks for the first time. */
function titleOf(t: TFunction, name: string, auth: ConnectorAuth | undefined): string {
  if (auth?.actsAs === 'application') return t('callSignIn.applicationTitle', { name });
  if (auth?.asks === undefined) return t('callSignIn.title', { name });
  return auth.signedIn ? t('signIn.moreTitle', { name }) : t('signIn.title', { name });
}

/** What became of the sign-in so far; everything about it is with the connector. */
function HowItGoes({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { attempt, opens, actsAs } = connector.auth ?? {};
  const isApplication = actsAs === 'application';
  if (attempt === undefined && !isApplication) return null;
  return (
    <p className="mt-2">
      {attempt === undefined ? null : `${sentenceOf(t, attempt, opens ?? connector.name)} `}
      <Link
        to="/connectors/$connectorId"
        params={{ connectorId: connector.id }}
        className="font-medium text-accent underline-offset-2 hover:underline"
      >
        {isApplication ? t('signIn.applicationChange') : t('callSignIn.more')}
      </Link>
    </p>
  );
}

type Attempt = NonNullable<ConnectorAuth['attempt']>;

// oxlint-disable-next-line max-params -- the translator comes first, as everywhere
function sentenceOf(t: TFunction, { status, opens, cause = 'other' }: Attempt, host: string): string {
  const isWaiting = status === 'waiting' || status === 'running';
  return isWaiting ? t('signIn.waiting', { host: opens ?? host }) : t(`signIn.cause.${cause}`);
}
