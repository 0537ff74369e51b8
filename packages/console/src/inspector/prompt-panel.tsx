import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import type { GetPromptResult, Prompt } from '@portico/spec';
import { MessageSquareQuote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ContentBlocks } from '../conversation/content-blocks.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { AskedAnswer } from './asked-answer.tsx';
import { Described } from './described.tsx';
import { TextValuesForm, useTextValues } from './text-values-form.tsx';
import type { TextValues } from './text-values-form.tsx';
import { useAsking } from './use-asking.ts';
import type { Asking } from './use-asking.ts';
import { useCompletion } from './use-completion.ts';

/** What somebody has filled in for a prompt, and the messages that it made. */
export interface PromptDesk extends Asking<GetPromptResult> {
  readonly entered: TextValues;
}

export function usePromptDesk(): PromptDesk {
  return { entered: useTextValues(), ...useAsking<GetPromptResult>() };
}

export interface PromptPanelProps {
  readonly connectorId: string;
  readonly prompt: Prompt;
  readonly desk: PromptDesk;
}

const getOf = (server: McpServer | undefined): McpServer['getPrompt'] | undefined =>
  server?.state === 'ready' ? server.getPrompt : undefined;

/** A prompt: its arguments to fill in, and the messages that they make. */
export function PromptPanel({ connectorId, prompt, desk }: PromptPanelProps) {
  const { t } = useTranslation();
  const { name, description, arguments: wanted = [] } = prompt;
  const getPrompt = useMcpServer(connectorId, getOf);
  const suggest = useCompletion(connectorId, { type: 'ref/prompt', name });
  const { asked, ask, entered } = desk;
  return (
    <div className="flex flex-col gap-5">
      <Described code={name} copyLabel={t('connectors.copyToolName')} description={description} />
      <TextValuesForm
        label={t('inspector.promptArguments')}
        entered={entered}
        values={wanted.map((value) => ({
          name: value.name,
          label: value.title ?? value.name,
          description: value.description,
          required: value.required === true,
        }))}
        suggest={suggest}
        submitLabel={t('inspector.getPrompt')}
        icon={MessageSquareQuote}
        busy={asked.busy}
        ready={getPrompt !== undefined}
        onSubmit={(values) => getPrompt !== undefined && ask(() => getPrompt(name, { ...values }))}
      />
      <AskedAnswer asked={asked}>{(answer) => <PromptMessages answer={answer} />}</AskedAnswer>
    </div>
  );
}

function PromptMessages({ answer }: { readonly answer: GetPromptResult }) {
  const { t } = useTranslation();
  const { messages, description } = answer;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-2xs font-medium text-ink-faint">
          {t('inspector.promptMessages', { count: messages.length })}
        </h3>
        <CopyButton text={() => JSON.stringify(answer, null, 2)} label={t('inspector.copyResult')} />
      </div>
      {description === undefined ? null : <p className="text-sm text-ink-soft">{description}</p>}
      <ol className="flex flex-col gap-3">
        {messages.map(({ role, content }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- messages have no identity besides their place
          <li key={index} className="rounded-xl border border-line bg-raised p-3 shadow-card">
            <p className="mb-1 text-2xs font-medium text-ink-faint">
              {role === 'user' || role === 'assistant' ? t(`inspector.role.${role}`) : role}
            </p>
            <ContentBlocks blocks={[content]} isError={false} />
          </li>
        ))}
      </ol>
    </div>
  );
}
