import type { Connector } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { TextField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';

export interface AccountDialogProps {
  readonly connector: Connector;
  /** Another account of the connector, or a new label for this one. */
  readonly purpose: 'add' | 'relabel';
  readonly onClose: () => void;
  readonly onDone: (account: Connector) => void;
}

/** Names of the values that each account has for itself. */
function valueNames({ transport }: Connector): readonly string[] {
  if (transport.kind === 'http') return transport.headerNames;
  return transport.kind === 'stdio' ? transport.envNames : [];
}

export function AccountDialog({ connector, purpose, onClose, onDone }: AccountDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const isNew = purpose === 'add';
  const [label, setLabel] = useState(isNew ? '' : connector.label);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const action = useAction();
  const save = async (): Promise<void> => {
    const typed = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    onDone(
      isNew
        ? await api.addAccount(connector.id, { label: label.trim(), values: typed })
        : await api.relabel(connector.id, label.trim()),
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? t('signIn.addAccountTitle', { name: connector.name }) : t('signIn.relabel')}
      {...(isNew ? { description: t('signIn.addAccountHint') } : {})}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={isNew && label.trim() === ''}
            onClick={() => void action.run(save)}
          >
            {isNew ? t('connectors.addNow') : t('general.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label={t('signIn.label')}
          hint={t('signIn.labelHint')}
          value={label}
          maxLength={64}
          onChange={(event) => setLabel(event.target.value)}
        />
        {isNew
          ? valueNames(connector).map((name) => (
              <TextField
                key={name}
                label={t('connectors.valueOf', { name })}
                type="password"
                value={values[name] ?? ''}
                onChange={(event) => setValues((before) => ({ ...before, [name]: event.target.value }))}
              />
            ))
          : null}
        <ActionError error={action.error} />
      </div>
    </Dialog>
  );
}
