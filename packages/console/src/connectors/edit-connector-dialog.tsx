import type { Connector } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { useAction } from '../ui/use-action.ts';
import { AddressForm } from './address-form.tsx';
import { CommandForm } from './command-form.tsx';
import { addressDraftOf, addressInput, commandDraftOf, commandInput } from './connector-draft.ts';

export interface EditConnectorDialogProps {
  readonly connector: Connector;
  readonly onClose: () => void;
  readonly onSaved: (connector: Connector) => void;
}

export function EditConnectorDialog({ connector, onClose, onSaved }: EditConnectorDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const byCommand = connector.transport.kind === 'stdio';
  const [command, setCommand] = useState(() => commandDraftOf(connector));
  const [address, setAddress] = useState(() => addressDraftOf(connector));
  const action = useAction();
  const input = byCommand ? commandInput(command) : addressInput(address);
  const save = async (): Promise<void> => onSaved(await api.changeConnector(connector.id, input));
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      title={t('connectors.editTitle', { name: connector.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={input.name === ''}
            onClick={() => void action.run(save)}
          >
            {t('general.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {byCommand ? (
          <CommandForm draft={command} onChange={setCommand} withLine={false} />
        ) : (
          <AddressForm draft={address} onChange={setAddress} />
        )}
        <ActionError error={action.error} />
      </div>
    </Dialog>
  );
}
