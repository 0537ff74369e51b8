import { Link, useNavigate } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { AppWindow, Cable, House, Search, Settings, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectors, useConsole, useHost } from '../state/console-context.tsx';
import { useAction } from '../ui/use-action.ts';
import { BrandMark } from './brand.tsx';
import { ConversationList } from './conversation-list.tsx';
import { needsAttention } from '../connectors/connector-status.tsx';
import { useShell } from './shell-context.tsx';

/** The way to everything: new conversation, places, conversations, settings. */
export function Sidebar() {
  const { t } = useTranslation();
  return (
    <nav
      data-region
      tabIndex={-1}
      aria-label={t('shell.navigation')}
      className="flex h-full min-h-0 flex-col bg-paper outline-none md:border-e md:border-line"
    >
      <div className="flex min-h-14 items-center gap-2 px-4">
        <Link to="/" className="-ms-1 flex items-center gap-2 rounded-md px-1 py-1.5 text-ink">
          <BrandMark className="size-5.5 text-accent" />
          <span className="text-[0.9375rem] font-semibold tracking-[-0.015em]">{t('shell.product')}</span>
        </Link>
      </div>
      <div className="flex flex-col gap-0.5 px-2.5">
        <NewConversation />
        <PaletteButton />
      </div>
      <Places />
      <ConversationList />
      <div className="border-t border-line p-2.5">
        <ModelLine />
        <PlaceLink to="/settings" icon={Settings}>
          {t('shell.settings')}
        </PlaceLink>
      </div>
    </nav>
  );
}

const ROW =
  'control-height flex w-full items-center gap-2.5 rounded-lg px-2.5 text-start text-sm text-ink-soft ' +
  'transition-colors hover:bg-hover hover:text-ink';
const CURRENT = 'bg-pressed font-medium text-ink';

function NewConversation() {
  const { t } = useTranslation();
  const { api, host } = useConsole();
  const shell = useShell();
  const navigate = useNavigate();
  const action = useAction();
  const start = async (): Promise<void> => {
    const conversation = await api.createConversation();
    host.addConversation(conversation);
    shell.setNavigationOpen(false);
    await navigate({ to: '/c/$conversationId', params: { conversationId: conversation.id } });
  };
  return (
    <button type="button" aria-disabled={action.busy} className={ROW} onClick={() => void action.run(start)}>
      <SquarePen aria-hidden className="size-4 shrink-0" strokeWidth={1.9} />
      {action.error === undefined ? t('shell.newConversation') : t('shell.newConversationFailed')}
    </button>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  const shell = useShell();
  return (
    <button type="button" className={ROW} onClick={shell.openPalette}>
      <Search aria-hidden className="size-4 shrink-0" strokeWidth={1.9} />
      <span className="flex-1">{t('shell.search')}</span>
      <kbd className="text-2xs text-ink-faint narrow:hidden">{shortcutLabel(t('shell.controlKey'))}</kbd>
    </button>
  );
}

const shortcutLabel = (controlKey: string): string =>
  /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : `${controlKey} K`;

function Places() {
  const { t } = useTranslation();
  const troubled = useConnectors().filter(needsAttention).length;
  return (
    <div className="mt-2 flex flex-col gap-0.5 border-t border-line px-2.5 pt-2">
      <PlaceLink to="/" icon={House}>
        {t('shell.home')}
      </PlaceLink>
      <PlaceLink to="/artifacts" icon={AppWindow}>
        {t('shell.artifacts')}
      </PlaceLink>
      <PlaceLink to="/connectors" icon={Cable}>
        {t('shell.connectors')}
        {troubled === 0 ? null : (
          <span className="ms-auto rounded-full bg-warn-soft px-1.5 text-2xs font-medium text-warn">
            <span aria-hidden>{troubled}</span>
            <span className="sr-only">{t('shell.connectorsTroubled', { count: troubled })}</span>
          </span>
        )}
      </PlaceLink>
    </div>
  );
}

interface PlaceLinkProps {
  readonly to: '/' | '/artifacts' | '/connectors' | '/settings';
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

function PlaceLink({ to, icon: Icon, children }: PlaceLinkProps) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/' }}
      className={ROW}
      activeProps={{ className: CURRENT, 'aria-current': 'page' }}
    >
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.9} />
      {children}
    </Link>
  );
}

function ModelLine() {
  const { t } = useTranslation();
  const model = useHost((state) => state.model);
  return (
    <p className="flex items-center gap-2.5 px-2.5 pb-1.5 text-2xs text-ink-faint">
      <span
        aria-hidden
        className={`ms-1 size-2 rounded-full ${model.configured ? 'bg-good' : 'border border-line-strong'}`}
      />
      <span className="ms-1 min-w-0 truncate">
        {model.configured ? (model.model ?? t('shell.modelConfigured')) : t('shell.directMode')}
      </span>
    </p>
  );
}
