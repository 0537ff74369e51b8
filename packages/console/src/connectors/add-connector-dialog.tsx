import type { Connector, ConnectorInput } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAction } from '../ui/use-action.ts';
import { AddressForm } from './address-form.tsx';
import { CommandForm } from './command-form.tsx';
import { EMPTY_ADDRESS, EMPTY_COMMAND, addressInput, commandInput } from './connector-draft.ts';
import { ImportForm } from './import-form.tsx';
import { useImport } from './use-import.ts';

export const WAYS_TO_ADD = ['command', 'url', 'paste'] as const;
export type WayToAdd = (typeof WAYS_TO_ADD)[number];

export interface AddConnectorDialogProps {
  readonly way: WayToAdd;
  readonly onWay: (way: WayToAdd) => void;
  readonly onClose: () => void;
  /** Called with the connectors that were added, of which commands wait for approval. */
  readonly onAdded: (connectors: readonly Connector[]) => void;
}

/** What is typed on the three ways, each kept while another is shown. */
function useDrafts(imported: ReturnType<typeof useImport>) {
  const { t } = useTranslation();
  const [command, setCommand] = useState(EMPTY_COMMAND);
  const [address, setAddress] = useState(EMPTY_ADDRESS);
  const ready = {
    command: command.command !== '' && command.name.trim() !== '',
    url: /^https?:\/\/[^\s/]/i.test(address.url.trim()) && address.name.trim() !== '',
    paste: imported.canSubmit,
  };
  const tabs = [
    {
      id: 'command',
      label: t('connectors.wayCommand'),
      content: <CommandForm draft={command} onChange={setCommand} withLine />,
    },
    {
      id: 'url',
      label: t('connectors.wayUrl'),
      content: <AddressForm draft={address} onChange={setAddress} />,
    },
    { id: 'paste', label: t('connectors.wayPaste'), content: <ImportForm {...imported.form} /> },
  ];
  const input = (way: 'command' | 'url'): ConnectorInput =>
    way === 'command' ? commandInput(command) : addressInput(address);
  return { ready, tabs, input };
}

export function AddConnectorDialog({ way, onWay, onClose, onAdded }: AddConnectorDialogProps) {
  const { t } = useTranslation();
  const { api, host } = useConsole();
  const imported = useImport(onAdded);
  const { ready, tabs, input } = useDrafts(imported);
  const action = useAction();
  const add = async (given: ConnectorInput): Promise<void> => {
    const connector = await api.addConnector(given);
    host.addConnector(connector);
    onAdded([connector]);
  };
  const submit = (): void => {
    if (way === 'paste') return void action.run(imported.submit);
    void action.run(() => add(input(way)));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      title={t('connectors.add')}
      description={t('connectors.addHint')}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button look="primary" busy={action.busy} disabled={!ready[way]} onClick={submit}>
            {way === 'paste' ? imported.submitLabel : t('connectors.addNow')}
          </Button>
        </>
      }
    >
      <div className="flex min-h-[19rem] flex-col gap-4">
        <Tabs
          label={t('connectors.ways')}
          tabs={tabs}
          value={way}
          onChange={(id) => {
            action.clear();
            onWay(WAYS_TO_ADD.find((known) => known === id) ?? 'command');
          }}
        />
        <ActionError error={action.error} />
      </div>
    </Dialog>
  );
}
