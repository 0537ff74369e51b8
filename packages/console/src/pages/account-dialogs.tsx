import type { Connector } from '@portico/api';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { AccountDialog } from '../sign-in/account-dialog.tsx';
import { ApplicationDialog } from '../sign-in/application-dialog.tsx';
import { IdentityDialog } from '../sign-in/identity-dialog.tsx';
import { useConsole } from '../state/console-context.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import type { Action } from '../ui/use-action.ts';
import type { ConnectorDialog } from './connector-menu.tsx';

interface AccountDialogsProps {
  readonly connector: Connector;
  readonly dialog: ConnectorDialog | undefined;
  readonly action: Action;
  readonly onDialog: (dialog: ConnectorDialog | undefined) => void;
}

/** Dialogs about how a connector's account signs in, and about its other accounts. */
export function AccountDialogs({ connector, dialog, action, onDialog }: AccountDialogsProps) {
  const { t } = useTranslation();
  const { api, host } = useConsole();
  const navigate = useNavigate();
  const close = (): void => onDialog(undefined);
  const done = (account: Connector): void => {
    close();
    host.addConnector(account);
    void navigate({ to: '/connectors/$connectorId', params: { connectorId: account.id } });
  };
  return (
    <>
      {dialog === 'identity' ? <IdentityDialog connector={connector} onClose={close} /> : null}
      {dialog === 'application' ? <ApplicationDialog connector={connector} onClose={close} /> : null}
      {dialog === 'account' || dialog === 'relabel' ? (
        <AccountDialog
          connector={connector}
          purpose={dialog === 'account' ? 'add' : 'relabel'}
          onClose={close}
          onDone={done}
        />
      ) : null}
      <ConfirmDialog
        open={dialog === 'signOut'}
        title={t('signIn.signOutTitle', { name: accountName(connector) })}
        description={t('signIn.signOutHint')}
        confirmLabel={t('signIn.signOut')}
        onConfirm={() => void action.run(() => api.signOut(connector.id))}
        onClose={close}
      />
    </>
  );
}
