import type { Connector } from '@portico/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toConsoleError } from '../errors.ts';
import { useConsole } from '../state/console-context.tsx';
import { canAdd } from './import-form.tsx';
import type { ImportChoice, ImportFormProps } from './import-form.tsx';

export interface ImportFlow {
  readonly form: ImportFormProps;
  readonly canSubmit: boolean;
  readonly submitLabel: string;
  /** First reads the text, then adds what was chosen; nothing is saved before that. */
  readonly submit: () => Promise<void>;
}

export function useImport(onAdded: (connectors: readonly Connector[]) => void): ImportFlow {
  const { t } = useTranslation();
  const { api, newId } = useConsole();
  const [text, setText] = useState('');
  const [choices, setChoices] = useState<readonly ImportChoice[]>([]);
  const addChosen = useAddChosen(setChoices);
  const chosen = choices.filter((choice) => choice.chosen && canAdd(choice) && !choice.added);

  const read = async (): Promise<void> => {
    const entries = await api.readImport(text);
    setChoices(
      entries.map((entry) => ({
        key: newId(),
        entry,
        name: entry.name,
        chosen: entry.status === 'new' && entry.input !== undefined,
        added: false,
      })),
    );
  };

  return {
    form: {
      text,
      choices,
      onChoices: setChoices,
      onText: (next) => {
        setText(next);
        setChoices([]);
      },
    },
    canSubmit: choices.length === 0 ? text.trim() !== '' : chosen.length > 0,
    submitLabel:
      choices.length === 0 ? t('connectors.importRead') : t('connectors.importAdd', { count: chosen.length }),
    submit: async () => {
      if (choices.length === 0) return await read();
      const { added, failed } = await addChosen(chosen);
      if (!failed) onAdded(added);
    },
  };
}

type Change = (change: (choices: readonly ImportChoice[]) => readonly ImportChoice[]) => void;

function useAddChosen(setChoices: Change) {
  const { api, host } = useConsole();
  return async (chosen: readonly ImportChoice[]) => {
    const added: Connector[] = [];
    let failed = false;
    for (const choice of chosen) {
      const { input } = choice.entry;
      if (input === undefined) continue;
      const update = (part: Partial<ImportChoice>): void =>
        setChoices((choices) =>
          choices.map((each) => (each.key === choice.key ? { ...each, ...part } : each)),
        );
      try {
        // One after the other, so that a name taken by an earlier entry is noticed.
        // oxlint-disable-next-line no-await-in-loop -- order matters
        const connector = await api.addConnector({ ...input, name: choice.name.trim() });
        host.addConnector(connector);
        added.push(connector);
        update({ added: true });
      } catch (thrown) {
        failed = true;
        update({ error: toConsoleError(thrown).message });
      }
    }
    return { added, failed };
  };
}
