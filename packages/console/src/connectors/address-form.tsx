import { useTranslation } from 'react-i18next';
import { TextField } from '../ui/field.tsx';
import { suggestNameOfAddress } from './connector-draft.ts';
import type { AddressDraft } from './connector-draft.ts';
import { SecretList } from './secret-list.tsx';
import { StartChoice } from './start-choice.tsx';

export interface AddressFormProps {
  readonly draft: AddressDraft;
  readonly onChange: (draft: AddressDraft) => void;
}

export function AddressForm({ draft, onChange }: AddressFormProps) {
  const { t } = useTranslation();
  const changeUrl = (url: string): void => {
    const followed = draft.name === '' || draft.name === suggestNameOfAddress(draft.url);
    onChange({ ...draft, url, name: followed ? suggestNameOfAddress(url) : draft.name });
  };
  const wrong = draft.url.trim() !== '' && !/^https?:\/\/[^\s/]/i.test(draft.url.trim());
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t('connectors.address')}
        hint={t('connectors.addressHint')}
        placeholder="https://mcp.example.com/mcp"
        error={wrong ? t('connectors.addressWrong') : undefined}
        inputMode="url"
        dir="ltr"
        value={draft.url}
        onChange={(event) => changeUrl(event.target.value)}
        className="font-code text-xs"
      />
      <TextField
        label={t('connectors.name')}
        hint={t('connectors.nameHint')}
        value={draft.name}
        maxLength={64}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <SecretList
        legend={t('connectors.headers')}
        hint={t('connectors.headersHint')}
        nameLabel={t('connectors.header')}
        addLabel={t('connectors.addHeader')}
        entries={draft.headers}
        onChange={(headers) => onChange({ ...draft, headers })}
      />
      <StartChoice starts={draft.starts} onChange={(starts) => onChange({ ...draft, starts })} />
    </div>
  );
}
