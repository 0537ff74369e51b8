import type { Connector } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { LogIn, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { openSignIn } from '../sign-in/open-sign-in.ts';
import { useConnector, useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import type { CallCardProps } from './call-card-props.ts';

/** Says in the conversation that a call waits for a sign-in, and offers it where the call waits (K46). */
export function CallSignIn({ conversationId, call }: CallCardProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  const connector = useConnector(call.connectorId);
  const name = connector === undefined ? call.connectorName : accountName(connector);
  return (
    <div className="border-t border-warn-line p-3.5">
      <Notice
        tone="warn"
        title={t('callSignIn.title', { name })}
        actions={
          <>
            {connector === undefined ? null : <SignInButton connector={connector} />}
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
        <p>{t('callSignIn.hint')}</p>
        {connector === undefined ? null : <HowItGoes connector={connector} />}
        <ActionError error={action.error} />
      </Notice>
    </div>
  );
}

function SignInButton({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { attempt, opens } = connector.auth ?? {};
  const label = opens === undefined ? t('signIn.start') : t('signIn.startAt', { host: opens });
  const isUnderWay = attempt?.status === 'running' || attempt?.status === 'waiting';
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

/** What became of the sign-in so far; everything about it is with the connector. */
function HowItGoes({ connector }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const attempt = connector.auth?.attempt;
  if (attempt === undefined) return null;
  const isWaiting = attempt.status === 'waiting' || attempt.status === 'running';
  const sentence = isWaiting
    ? t('signIn.waiting', { host: attempt.opens ?? connector.auth?.opens ?? connector.name })
    : t(`signIn.cause.${attempt.cause ?? 'other'}`);
  return (
    <p className="mt-1.5">
      {sentence}{' '}
      <Link
        to="/connectors/$connectorId"
        params={{ connectorId: connector.id }}
        className="font-medium text-accent underline-offset-2 hover:underline"
      >
        {t('callSignIn.more')}
      </Link>
    </p>
  );
}
