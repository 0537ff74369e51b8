import type { ClientIdentityInput, Connector } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { TextAreaField, TextField } from '../ui/field.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAction } from '../ui/use-action.ts';

export interface ApplicationDialogProps {
  readonly connector: Connector;
  readonly onClose: () => void;
}

interface ApplicationDraft {
  readonly clientId: string;
  readonly proof: 'secret' | 'key';
  readonly secret: string;
  readonly privateKey: string;
  readonly algorithm: NonNullable<ClientIdentityInput['algorithm']>;
  readonly scope: string;
}

const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA'] as const;

const NEW = { proof: 'secret', algorithm: 'ES256', scope: '' } as const;

function draftOf({ auth }: Connector): ApplicationDraft {
  const { proof, algorithm, scope } = auth?.application ?? NEW;
  const clientId = auth?.application === undefined ? '' : (auth.clientId ?? '');
  return { clientId, proof, secret: '', privateKey: '', algorithm, scope };
}

function inputOf({ clientId, proof, secret, privateKey, algorithm, scope }: ApplicationDraft) {
  return {
    grant: 'application',
    clientId: clientId.trim(),
    proof,
    clientSecret: proof === 'key' || secret === '' ? null : secret,
    privateKey: proof === 'secret' || privateKey.trim() === '' ? null : privateKey.trim(),
    algorithm,
    scope: scope.trim(),
  } satisfies ClientIdentityInput;
}

/** Takes credentials of the application itself: no browser step, and everybody acts as it (K49). */
export function ApplicationDialog({ connector, onClose }: ApplicationDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const [draft, setDraft] = useState(() => draftOf(connector));
  const action = useAction();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (await action.run(work)) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      title={t('signIn.applicationTitle', { name: connector.name })}
      description={t('signIn.applicationHint')}
      footer={
        <>
          {connector.auth?.actsAs === 'application' ? (
            <Button onClick={() => void run(() => api.forgetIdentity(connector.id))}>
              {t('signIn.applicationForget')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={draft.clientId.trim() === ''}
            onClick={() => void run(() => api.setIdentity(connector.id, inputOf(draft)))}
          >
            {t('general.save')}
          </Button>
        </>
      }
    >
      <ApplicationFields auth={connector.auth} draft={draft} onChange={setDraft} />
      <ActionError error={action.error} />
    </Dialog>
  );
}

interface ApplicationFieldsProps {
  readonly auth: Connector['auth'];
  readonly draft: ApplicationDraft;
  readonly onChange: (draft: ApplicationDraft) => void;
}

function ApplicationFields({ auth, draft, onChange }: ApplicationFieldsProps) {
  const { t } = useTranslation();
  const change = (part: Partial<ApplicationDraft>): void => onChange({ ...draft, ...part });
  const secret = (
    <TextField
      label={t('signIn.secret')}
      type="password"
      value={draft.secret}
      hint={auth?.hasClientSecret === true ? t('signIn.secretKept') : t('signIn.applicationSecretHint')}
      onChange={(event) => change({ secret: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t('signIn.identity')}
        value={draft.clientId}
        onChange={(event) => change({ clientId: event.target.value })}
      />
      <Tabs
        label={t('signIn.proof')}
        value={draft.proof}
        onChange={(proof) => change({ proof: proof === 'key' ? 'key' : 'secret' })}
        tabs={[
          { id: 'secret', label: t('signIn.secret'), content: secret },
          {
            id: 'key',
            label: t('signIn.signedAssertion'),
            content: <KeyFields auth={auth} draft={draft} onChange={onChange} />,
          },
        ]}
      />
      <TextField
        label={t('signIn.scopes')}
        hint={t('signIn.scopeHint')}
        value={draft.scope}
        onChange={(event) => change({ scope: event.target.value })}
      />
    </div>
  );
}

function KeyFields({ auth, draft, onChange }: ApplicationFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <TextAreaField
        label={t('signIn.privateKey')}
        rows={5}
        dir="ltr"
        value={draft.privateKey}
        hint={auth?.hasPrivateKey === true ? t('signIn.privateKeyKept') : t('signIn.privateKeyHint')}
        onChange={(event) => onChange({ ...draft, privateKey: event.target.value })}
        className="font-code text-xs"
      />
      <fieldset className="min-w-0">
        <legend className="mb-1 text-xs font-medium">{t('signIn.algorithm')}</legend>
        <div className="flex flex-wrap gap-x-4">
          {ALGORITHMS.map((algorithm) => (
            <label key={algorithm} className="control-height flex items-center gap-2 text-sm">
              <input
                type="radio"
                name="algorithm"
                checked={draft.algorithm === algorithm}
                onChange={() => onChange({ ...draft, algorithm })}
                className="accent-accent"
              />
              <code className="text-xs">{algorithm}</code>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
