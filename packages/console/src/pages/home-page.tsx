import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { AppWindow, Cable, FileCode2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Composer } from '../conversation/composer.tsx';
import { sameTool } from '../conversation/tool-search.ts';
import { Page } from '../shell/page.tsx';
import { BrandMark } from '../shell/brand.tsx';
import { useArtifacts, useCallableTools, useConsole, useHost } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { formFromJson, initialValue } from '../schema-form/form-state.ts';
import { readSchema } from '../schema-form/read-schema.ts';
import { argumentsOf } from '../schema-form/schema-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import type { Action } from '../ui/use-action.ts';
import { ActionError } from '../ui/error-text.tsx';

/** One screen that says what one can do here, with three actions that each end in a result. */
export function HomePage() {
  const { t } = useTranslation();
  const action = useAction();
  return (
    <Page title={t('shell.home')} layout="fill" ownHeading>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full max-w-3xl flex-col px-4 pt-8 pb-6 md:px-8 md:pt-20">
          <BrandMark className="size-10 text-accent" />
          <h2 className="mt-5 text-2xl font-semibold tracking-[-0.025em]">{t('home.heading')}</h2>
          <p className="mt-2 max-w-xl text-base text-ink-soft">{t('home.lead')}</p>
          <FirstSteps action={action} />
          <div className="mt-3 empty:hidden">
            <ActionError error={action.error} />
          </div>
          <div className="mt-auto pt-10">
            <HomeComposer />
            <ModelNote />
          </div>
        </div>
      </div>
    </Page>
  );
}

function FirstSteps({ action }: { readonly action: Action }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const demoArtifact = useArtifacts().find(({ demo }) => demo);
  const openView = useDemoView();
  return (
    <ul className="mt-8 grid gap-3 md:grid-cols-3">
      <Step
        icon={AppWindow}
        title={t('home.view')}
        text={t('home.viewHint')}
        busy={action.busy}
        onClick={openView === undefined ? undefined : () => void action.run(openView)}
      />
      <Step
        icon={FileCode2}
        title={t('home.artifact')}
        text={t('home.artifactHint')}
        onClick={
          demoArtifact === undefined
            ? undefined
            : () => void navigate({ to: '/artifacts/$artifactId', params: { artifactId: demoArtifact.id } })
        }
      />
      <Step
        icon={Cable}
        title={t('home.connector')}
        text={t('home.connectorHint')}
        onClick={() => void navigate({ to: '/connectors', search: { add: 'command' } })}
      />
    </ul>
  );
}

interface StepProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly busy?: boolean;
  readonly onClick: (() => void) | undefined;
}

function Step({ icon: Icon, title, text, busy = false, onClick }: StepProps) {
  const { t } = useTranslation();
  return (
    <li>
      <button
        type="button"
        disabled={onClick === undefined}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onClick}
        className="group flex h-full w-full gap-3.5 rounded-2xl md:flex-col md:gap-0 border border-line bg-raised p-4 text-start shadow-card transition-[border-color,box-shadow,translate] hover:border-accent-line hover:shadow-float enabled:hover:-translate-y-0.5 disabled:opacity-60"
      >
        <span className="grid size-9 shrink-0 place-items-center rounded-[0.625rem] bg-accent-soft text-accent">
          <Icon aria-hidden className={`size-4.5 ${busy ? 'breathe' : ''}`} strokeWidth={1.8} />
        </span>
        <span className="min-w-0">
          <span className="block font-semibold md:mt-3.5">{title}</span>
          <span className="mt-1 block text-xs text-ink-soft">
            {onClick === undefined ? t('home.notReady') : text}
          </span>
        </span>
      </button>
    </li>
  );
}

/** Calls the first demo tool that has a view and needs nothing to be filled in. */
function useDemoView(): (() => Promise<void>) | undefined {
  const { t } = useTranslation();
  const { api, host, newId } = useConsole();
  const navigate = useNavigate();
  const listed = useCallableTools().find(
    ({ connector, tool }) =>
      connector.transport.kind === 'builtin' &&
      tool.viewUri !== undefined &&
      startArguments(tool) !== undefined,
  );
  if (listed === undefined) return undefined;
  const { connector, tool } = listed;
  return async () => {
    const conversation = await api.createConversation(t('home.viewTitle', { tool: tool.title ?? tool.name }));
    host.addConversation(conversation);
    const values = startArguments(tool) ?? {};
    const call = await api.startCall(conversation.id, {
      connectorId: connector.id,
      tool: tool.name,
      arguments: values,
      clientId: newId(),
    });
    host.addItem(conversation.id, call);
    await navigate({ to: '/c/$conversationId', params: { conversationId: conversation.id } });
  };
}

function startArguments(tool: ListedTool['tool']) {
  return argumentsOf(tool.inputSchema, formFromJson(initialValue(readSchema(tool.inputSchema)) ?? {}));
}

/** A link may fill in a tool; it never runs one. */
function HomeComposer() {
  const { t } = useTranslation();
  const { host } = useConsole();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const tools = useCallableTools();
  const linked = tools.find(
    ({ connector, tool }) => connector.id === search.connector && tool.name === search.tool,
  );
  const [chosen, setChosen] = useState<ListedTool>();
  const tool = chosen ?? linked;
  return (
    <>
      {sameTool(tool, linked) && linked !== undefined ? (
        <div className="mb-3">
          <Notice tone="accent">{t('home.linked')}</Notice>
        </div>
      ) : null}
      <Composer
        conversation={undefined}
        tool={tool}
        onTool={(next) => {
          setChosen(next);
          if (next === undefined && linked !== undefined) void navigate({ to: '/', replace: true });
        }}
        onStarted={(conversationId, item) => {
          host.addItem(conversationId, item);
          void navigate({ to: '/c/$conversationId', params: { conversationId } });
        }}
      />
    </>
  );
}

function ModelNote() {
  const { t } = useTranslation();
  const model = useHost((state) => state.model);
  if (model.configured) return null;
  return (
    <p className="mt-3 px-1 text-xs text-ink-faint">
      {t('home.modelOptional')}{' '}
      <Link to="/settings" hash="model" className="text-accent underline underline-offset-2">
        {t('home.addModel')}
      </Link>
    </p>
  );
}
