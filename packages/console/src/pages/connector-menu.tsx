import type { Connector } from '@portico/api';
import {
  Bot,
  Ellipsis,
  KeyRound,
  LogIn,
  LogOut,
  Pencil,
  Play,
  Power,
  PowerOff,
  RefreshCw,
  Tag,
  Trash2,
  UserPlus,
} from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { openSignIn } from '../sign-in/open-sign-in.ts';
import { useConsole } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuItem } from '../ui/menu.tsx';
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

/** Site of the sign-in that the server publishes and nobody has used yet, although it may answer without (K48). */
function siteOf({ auth }: Connector): readonly string[] {
  if (auth?.opens === undefined || auth.signedIn || auth.actsAs === 'application') return [];
  return [auth.opens];
}

/** As whom an account acts, and the end of it. */
// oxlint-disable-next-line max-params -- the translator comes first, as everywhere
function identityItems(
  t: TFunction,
  { auth }: Connector,
  onDialog: ConnectorMenuProps['onDialog'],
): readonly MenuItem[] {
  if (auth === undefined) return [];
  const application: MenuItem = {
    label: t('signIn.application'),
    icon: Bot,
    onSelect: () => onDialog('application'),
  };
  // One id at a time: that of the application is in its own dialog.
  if (auth.actsAs === 'application') return [application];
  const identity = { label: t('signIn.identity'), icon: KeyRound, onSelect: () => onDialog('identity') };
  const signOut = { label: t('signIn.signOut'), icon: LogOut, onSelect: () => onDialog('signOut') };
  return [identity, application, ...(auth.signedIn ? [signOut] : [])];
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
    ...siteOf(connector).map((host) => ({
      label: t('signIn.startAt', { host }),
      icon: LogIn,
      onSelect: () => openSignIn(id, window),
    })),
    { label: t('connectors.edit'), icon: Pencil, onSelect: () => onDialog('edit') },
    { label: t('signIn.addAccount'), icon: UserPlus, onSelect: () => onDialog('account') },
    { label: t('signIn.relabel'), icon: Tag, onSelect: () => onDialog('relabel') },
    ...identityItems(t, connector, onDialog),
    toggle,
    { label: t('connectors.delete'), icon: Trash2, danger: true, onSelect: () => onDialog('delete') },
  ];
  return (
    <>
      <MainButton
        connector={connector}
        busy={action.busy}
        onReconnect={onReconnect}
        onEnable={toggle.onSelect}
      />
      <Menu items={transport.kind === 'builtin' ? [toggle] : own}>
        <IconButton label={t('connectors.more')} icon={Ellipsis} />
      </Menu>
    </>
  );
}

interface MainButtonProps {
  readonly connector: Connector;
  readonly busy: boolean;
  readonly onReconnect: () => void;
  readonly onEnable: () => void;
}

/** What brings the connector into service, from wherever it is now. */
function MainButton({ connector, busy, onReconnect, onEnable }: MainButtonProps) {
  const { t } = useTranslation();
  if (!connector.enabled) {
    return (
      <Button look="primary" icon={Power} busy={busy} onClick={onEnable}>
        {t('connectors.enable')}
      </Button>
    );
  }
  if (connector.action === 'start') {
    return (
      <Button look="primary" icon={Play} busy={busy} onClick={onReconnect} aria-label={t('connectors.start')}>
        <span className="narrow:hidden">{t('connectors.start')}</span>
      </Button>
    );
  }
  return (
    <Button
      look="quiet"
      icon={RefreshCw}
      busy={busy}
      onClick={onReconnect}
      aria-label={t('connectors.reconnect')}
    >
      <span className="narrow:hidden">{t('connectors.reconnect')}</span>
    </Button>
  );
}
