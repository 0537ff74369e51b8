import type { Conversation } from '@portico/api';
import { ArrowUp, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsole, useHost } from '../state/console-context.tsx';
import { useAction } from '../ui/use-action.ts';

export interface ComposerFootProps {
  readonly conversation: Conversation | undefined;
  readonly canSend: boolean;
  readonly busy: boolean;
  readonly onSend: () => void;
}

const ROUND = 'grid size-9 shrink-0 place-items-center rounded-full transition-colors narrow:size-11';

/** Names the mode, and holds Send or Stop. */
export function ComposerFoot({ conversation, canSend, busy, onSend }: ComposerFootProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const model = useHost((state) => state.model);
  const stop = useAction();
  const running = conversation?.status === 'running';
  return (
    <div className="flex items-center gap-2 py-1.5 ps-4 pe-2">
      <p className="min-w-0 flex-1 truncate text-xs text-ink-faint">
        {model.configured ? (model.model ?? t('shell.modelConfigured')) : t('composer.directMode')}
      </p>
      {running && conversation !== undefined ? (
        <button
          type="button"
          aria-label={t('composer.stop')}
          title={t('composer.stop')}
          aria-disabled={stop.busy}
          onClick={() => void stop.run(() => api.stop(conversation.id))}
          className={`${ROUND} bg-ink text-surface hover:bg-ink-soft`}
        >
          <Square aria-hidden className="size-3.5" fill="currentColor" />
        </button>
      ) : null}
      {model.configured && !running ? (
        <button
          type="button"
          aria-label={t('composer.send')}
          title={t('composer.send')}
          disabled={!canSend || busy}
          onClick={onSend}
          className={`${ROUND} bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-ink-faint`}
        >
          <ArrowUp aria-hidden className="size-4.5" strokeWidth={2.2} />
        </button>
      ) : null}
    </div>
  );
}
