import type { ToolCall, ViewSession } from '@portico/api';
import { Link } from '@tanstack/react-router';
import { AppWindow, PanelRight, RotateCw } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { toConsoleError } from '../errors.ts';
import { useConsole } from '../state/console-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { IsolationNote } from './isolation-note.tsx';

// Views are the heaviest part of the page; a conversation is usable before they have loaded.
const ViewFrame = lazy(async () => ({ default: (await import('./view-frame.tsx')).ViewFrame }));

export interface ViewCardProps {
  readonly conversationId: string;
  readonly call: ToolCall;
}

/** A view below its call, with a bar outside the document that says whose it is. */
export function ViewCard({ conversationId, call }: ViewCardProps) {
  const { t } = useTranslation();
  const [round, setRound] = useState(0);
  const place = useRef<HTMLElement>(null);
  const near = useNear(place);
  const name = call.title ?? call.tool;
  return (
    <section
      ref={place}
      aria-label={t('view.label', { tool: name, connector: call.connectorName })}
      className="border-t border-line"
    >
      <div className="flex items-center gap-2 bg-sunken py-0.5 ps-3.5 pe-2">
        <AppWindow aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <p className="min-w-0 flex-1 truncate text-xs text-ink-soft">
          <span className="font-medium text-ink">{call.connectorName}</span>
          <span aria-hidden className="mx-1.5 text-ink-faint">
            ·
          </span>
          {name}
        </p>
        <IconButton
          label={t('view.reload', { tool: name })}
          icon={RotateCw}
          onClick={() => setRound(round + 1)}
        />
        <Link
          to="/c/$conversationId/$itemId"
          params={{ conversationId, itemId: call.id }}
          search={{ details: true }}
          aria-label={t('view.details', { tool: name })}
          title={t('call.detailsShort')}
          className="grid size-8 shrink-0 place-items-center rounded-md text-ink-faint transition-colors hover:bg-hover hover:text-ink narrow:size-11"
        >
          <PanelRight aria-hidden className="size-4 rtl:-scale-x-100" strokeWidth={1.9} />
        </Link>
      </div>
      {near ? (
        <OpenView
          key={round}
          conversationId={conversationId}
          call={call}
          onRetry={() => setRound(round + 1)}
        />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

function OpenView({ conversationId, call, onRetry }: ViewCardProps & { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const { viewFacts } = useConsole();
  const { session, problem } = useViewSession(conversationId, call.id);
  const facts = useStore(viewFacts.store, (all) => all[call.id]);
  const place = useMemo(
    () => (session === undefined ? undefined : { conversationId, session }),
    [conversationId, session],
  );
  const failure = problem ?? (facts?.status === 'failed' ? (facts.reason ?? '') : undefined);
  return (
    <>
      {failure === undefined ? null : (
        <div className="p-3.5">
          <Notice
            tone="warn"
            title={t('view.failed')}
            actions={<Button onClick={onRetry}>{t('general.retry')}</Button>}
          >
            {failure} {t('view.resultBelow')}
          </Notice>
        </div>
      )}
      {place === undefined ? (
        problem === undefined ? (
          <Waiting />
        ) : null
      ) : (
        <Suspense fallback={<Waiting />}>
          <IsolationNote />
          <ViewFrame place={place} call={call} />
        </Suspense>
      )}
    </>
  );
}

/** Keeps roughly the room that a view takes, so that what follows does not jump far. */
function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="grid h-40 place-items-center text-xs text-ink-faint" role="status">
      {t('view.opening')}
    </div>
  );
}

/** Opens one instance of the view for as long as the card lives. */
function useViewSession(conversationId: string, callId: string) {
  const { api, viewFacts, isolation } = useConsole();
  const [outcome, setOutcome] = useState<{ session?: ViewSession; problem?: string }>({});
  useEffect(() => {
    let left = false;
    let viewId: string | undefined;
    const close = (): void => {
      // The host drops it by itself sooner or later; a failed goodbye harms nobody.
      if (viewId !== undefined) api.closeView(viewId).catch(() => undefined);
    };
    const open = async (): Promise<void> => {
      viewFacts.reset(callId);
      try {
        const session = await api.openView({ conversationId, callId, opaque: await isolation.isOpaque() });
        viewId = session.viewId;
        if (left) return close();
        viewFacts.change(callId, { status: 'loading', session });
        setOutcome({ session });
      } catch (thrown) {
        const { message } = toConsoleError(thrown);
        viewFacts.change(callId, { status: 'failed', reason: message });
        if (!left) setOutcome({ problem: message });
      }
    };
    void open();
    return () => {
      left = true;
      close();
    };
  }, [api, viewFacts, isolation, conversationId, callId]);
  return outcome;
}

/** True once the element has come near the visible part, and from then on. */
function useNear(place: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || near) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, near]);
  return near;
}
