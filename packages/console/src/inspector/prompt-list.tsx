import type { Connector } from '@portico/api';
import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import type { Prompt } from '@portico/spec';
import { useSearch } from '@tanstack/react-router';
import { MessageSquareQuote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/states.tsx';
import { ItemRow } from './item-row.tsx';
import { ListPlace } from './list-place.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { SearchedList } from './searched-list.tsx';
import { useFirstReading } from './use-first-reading.ts';

const LISTS = ['prompts'] as const;
const NONE: readonly Prompt[] = [];
export const promptsOf = (server: McpServer | undefined): readonly Prompt[] => server?.prompts ?? NONE;

/** The prompts of a server. */
export function PromptList({ connector: { id } }: { readonly connector: Connector }) {
  const { t } = useTranslation();
  const { prompt: selected } = useSearch({ strict: false });
  const prompts = useMcpServer(id, promptsOf);
  const reading = useFirstReading(id, 'prompts');
  return (
    <ListPlace
      connectorId={id}
      lists={LISTS}
      isEmpty={prompts.length === 0}
      reading={reading}
      empty={
        <EmptyState
          icon={MessageSquareQuote}
          title={t('inspector.noPrompts')}
          action={<RefreshButton connectorId={id} lists={LISTS} />}
        >
          {t('inspector.noPromptsHint')}
        </EmptyState>
      }
    >
      <SearchedList
        items={prompts}
        searchLabel={t('inspector.searchPrompts')}
        action={<RefreshButton connectorId={id} lists={LISTS} />}
        textOf={({ name, title = '', description = '' }) => `${title} ${name} ${description}`}
        row={(prompt) => (
          <PromptRow key={prompt.name} connectorId={id} prompt={prompt} selected={selected === prompt.name} />
        )}
      />
    </ListPlace>
  );
}

interface PromptRowProps {
  readonly connectorId: string;
  readonly prompt: Prompt;
  readonly selected: boolean;
}

function PromptRow({ connectorId, prompt, selected }: PromptRowProps) {
  const { t } = useTranslation();
  const { name, title, description, arguments: wanted = [] } = prompt;
  return (
    <ItemRow
      connectorId={connectorId}
      search={{ prompt: name }}
      selected={selected}
      title={title ?? name}
      code={title === undefined ? undefined : name}
      description={description}
      tags={
        wanted.length === 0 ? null : (
          <span className="text-xs whitespace-nowrap text-ink-faint">
            {t('inspector.argumentCount', { count: wanted.length })}
          </span>
        )
      }
    />
  );
}
