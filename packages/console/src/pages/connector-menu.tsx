import type { Connector } from '@portico/api';
import {
  Bot,
  Ellipsis,
  KeyRound,
  LogIn,
  LogOut,
  Pencil,
  Power,
  PowerOff,
  RefreshCw,
  Tag,
  Trash2,
  UserPlus,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openSignIn } from '../sign-in/open-sign-in.ts';
import { useConsole } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import type { Action } from '../ui/use-action.ts';

/** What a connector's page asks in a dialog. */
export type ConnectorDialog =
  | 'edit'
  | 'delete'
  | 'identity'
  | 'application'
  | 'account'
  | 'relabel'
  | 'signOut';

interface ConnectorMenuProps {
  readonly connector: Connector;
  readonly action: Action;
  readonly onReconnect: () => void;
  readonly onDialog: (dialog: ConnectorDialog) => void;
}

/** Whether the server publishes a sign-in that nobody has used yet, although it may answer without (K48). */
function canSignIn({ auth }: Connector): boolean {
  return auth !== undefined && !auth.signedIn && auth.opens !== undefined && auth.actsAs !== 'application';
}

/** What can be done with a connector. */
export function ConnectorMenu({ connector, action, onReconnect, onDialog }: ConnectorMenuProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const { id, enabled, transport } = connector;
  const toggle = {
    label: enabled ? t('connectors.disable') : t('connectors.enable'),
    icon: enabled ? PowerOff : Power,
    onSelect: () => void action.run(() => api.enableConnector(id, !enabled)),
  };
  const own = [
    { label: t('connectors.edit'), icon: Pencil, onSelect: () => onDialog('edit') },
    { label: t('signIn.addAccount'), icon: UserPlus, onSelect: () => onDialog('account') },
    { label: t('signIn.relabel'), icon: Tag, onSelect: () => onDialog('relabel') },
    ...(connector.auth === undefined
      ? []
      : [
          { label: t('signIn.identity'), icon: KeyRound, onSelect: () => onDialog('identity') } as const,
          { label: t('signIn.application'), icon: Bot, onSelect: () => onDialog('application') } as const,
        ]),
    ...(canSignIn(connector)
      ? [{ label: t('signIn.offer'), icon: LogIn, onSelect: () => openSignIn(id, window) }]
      : []),
    ...(connector.auth?.signedIn === true && connector.auth.actsAs !== 'application'
      ? [{ label: t('signIn.signOut'), icon: LogOut, onSelect: () => onDialog('signOut') }]
      : []),
    toggle,
    { label: t('connectors.delete'), icon: Trash2, danger: true, onSelect: () => onDialog('delete') },
  ];
  return (
    <>
      {enabled ? (
        <Button
          look="quiet"
          icon={RefreshCw}
          busy={action.busy}
          onClick={onReconnect}
          aria-label={t('connectors.reconnect')}
        >
          <span className="narrow:hidden">{t('connectors.reconnect')}</span>
        </Button>
      ) : (
        <Button look="primary" icon={Power} busy={action.busy} onClick={toggle.onSelect}>
          {t('connectors.enable')}
        </Button>
      )}
      <Menu items={transport.kind === 'builtin' ? [toggle] : own}>
        <IconButton label={t('connectors.more')} icon={Ellipsis} />
      </Menu>
    </>
  );
}
