import type { Connector } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { TextField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';

export interface IdentityDialogProps {
  readonly connector: Connector;
  readonly onClose: () => void;
}

/** Takes a client id that was registered by hand, and shows the redirect address to register (K44). */
export function IdentityDialog({ connector, onClose }: IdentityDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const { auth } = connector;
  const [identity, setIdentity] = useState<IdentityDraft>({ clientId: auth?.clientId ?? '', secret: '' });
  const action = useAction();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (await action.run(work)) onClose();
  };
  const save = (): Promise<unknown> =>
    api.setIdentity(connector.id, {
      clientId: identity.clientId.trim(),
      clientSecret: identity.secret === '' ? null : identity.secret,
    });
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      title={t('signIn.identityTitle', { name: connector.name })}
      description={t('signIn.identityHint')}
      footer={
        <>
          {auth?.clientId === undefined ? null : (
            <Button onClick={() => void run(() => api.forgetIdentity(connector.id))}>
              {t('signIn.forgetIdentity')}
            </Button>
          )}
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={identity.clientId.trim() === ''}
            onClick={() => void run(save)}
          >
            {t('general.save')}
          </Button>
        </>
      }
    >
      <IdentityFields auth={auth} identity={identity} onChange={setIdentity} />
      <ActionError error={action.error} />
    </Dialog>
  );
}

interface IdentityDraft {
  readonly clientId: string;
  readonly secret: string;
}

interface IdentityFieldsProps {
  readonly auth: Connector['auth'];
  readonly identity: IdentityDraft;
  readonly onChange: (identity: IdentityDraft) => void;
}

function IdentityFields({ auth, identity, onChange }: IdentityFieldsProps) {
  const { t } = useTranslation();
  const redirectUrl = auth?.redirectUrl ?? '';
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t('signIn.redirect')}
        value={redirectUrl}
        readOnly
        action={<CopyButton text={redirectUrl} label={t('signIn.copyRedirect')} />}
      />
      <TextField
        label={t('signIn.identity')}
        value={identity.clientId}
        onChange={(event) => onChange({ ...identity, clientId: event.target.value })}
      />
      <TextField
        label={t('signIn.secret')}
        type="password"
        value={identity.secret}
        hint={auth?.hasClientSecret === true ? t('signIn.secretKept') : t('signIn.secretHint')}
        onChange={(event) => onChange({ ...identity, secret: event.target.value })}
      />
    </div>
  );
}
