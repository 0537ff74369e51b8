import type { Connector } from '@portico/api';
import type { McpServer } from '@portico/react';
import { useMcpServer } from '@portico/react';
import type { ElicitResult } from '@portico/spec';
import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountName } from '../connectors/account-name.ts';
import { SchemaForm } from '../schema-form/schema-form.tsx';
import { sending, useArgumentsForm } from '../schema-form/use-arguments-form.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';

type Content = NonNullable<ElicitResult['content']>;
type Question = McpServer['pendingElicitationRequests'][number];

interface Asking {
  readonly question: Question | undefined;
  readonly answer: McpServer['approveElicitation'];
}

const askingOf = (server: McpServer | undefined): Asking | undefined =>
  server === undefined
    ? undefined
    : { question: server.pendingElicitationRequests[0], answer: server.approveElicitation };
const sameAsking = (a: Asking | undefined, b: Asking | undefined): boolean =>
  a?.question === b?.question && a?.answer === b?.answer;

/** What the server asks the person in the middle of a call that this page made, one question at a time. */
export function ElicitationForm({ connector }: { readonly connector: Connector }) {
  const asking = useMcpServer(connector.id, askingOf, sameAsking);
  const { question, answer } = asking ?? {};
  if (question === undefined || answer === undefined || question.request.mode === 'url') return null;
  return (
    <QuestionForm
      key={question.id}
      asker={accountName(connector)}
      message={question.request.message}
      schema={{ ...question.request.requestedSchema }}
      onAnswer={(result) => answer(question.id, result)}
    />
  );
}

const SECRET =
  /pass(?:word|phrase|wd|code)|secret|token|api[\s_-]?key|credential|private[\s_-]?key|\b(?:pin|otp|cvv)\b/i;

/** Whether a field looks as if a secret belonged into it, which no server may ask for by a form. */
function asksForSecret({ properties }: Readonly<Record<string, unknown>>): boolean {
  return SECRET.test(JSON.stringify(properties ?? {}).replaceAll(/([a-z])([A-Z])/g, '$1 $2'));
}

interface QuestionFormProps {
  /** Connector and account, whatever the server calls itself. */
  readonly asker: string;
  readonly message: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly onAnswer: (result: ElicitResult) => void;
}

function QuestionForm({ asker, message, schema, onAnswer }: QuestionFormProps) {
  const { t } = useTranslation();
  const [shape] = useState(schema);
  const { box, form, change, tried, take } = useArgumentsForm(shape);
  const heading = useRef<HTMLHeadingElement>(null);
  // The call stands still until it is answered, so it is where the person has to be.
  useEffect(() => heading.current?.focus(), []);
  const submit = (): void => {
    const content = take();
    if (content !== undefined) onAnswer({ action: 'accept', content: content as Content });
  };
  return (
    <form
      ref={box}
      aria-label={t('inspector.question')}
      {...sending(submit)}
      className="mt-3 rounded-xl border border-accent/50 bg-raised p-4 shadow-card"
    >
      <h4
        ref={heading}
        tabIndex={-1}
        className="mb-1 flex items-center gap-2 text-xs font-medium text-ink-faint outline-none"
      >
        <MessageCircleQuestion aria-hidden className="size-4 shrink-0 text-accent" strokeWidth={1.9} />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {t('inspector.serverAsks', { server: showHidden(asker) })}
        </span>
      </h4>
      <p className="mb-4 max-h-48 overflow-y-auto text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {showHiddenInLines(message)}
      </p>
      <SchemaForm schema={shape} form={form} onChange={change} showProblems={tried} />
      <AnswerHint schema={shape} />
      <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
        <Button look="quiet" onClick={() => onAnswer({ action: 'cancel' })}>
          {t('inspector.closeQuestion')}
        </Button>
        <Button onClick={() => onAnswer({ action: 'decline' })}>{t('inspector.declineQuestion')}</Button>
        <Button type="submit" look="primary">
          {t('inspector.answerQuestion')}
        </Button>
      </div>
    </form>
  );
}

/** Where the answer goes, and a warning where that should not be. */
function AnswerHint({ schema }: Pick<QuestionFormProps, 'schema'>) {
  const { t } = useTranslation();
  if (!asksForSecret(schema)) {
    return <p className="mt-3 text-xs text-ink-faint">{t('inspector.questionHint')}</p>;
  }
  return (
    <div className="mt-3">
      <Notice tone="warn" title={t('inspector.secretAsked')}>
        {t('inspector.secretAskedHint')}
      </Notice>
    </div>
  );
}
