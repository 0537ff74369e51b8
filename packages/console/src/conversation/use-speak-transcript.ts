import type { Item } from '@portico/api';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { completeSentences } from '../state/announcer.ts';
import { useConsole } from '../state/console-context.tsx';

/** Speaks what happens in the open conversation: streamed text by sentences, approvals and problems at once. */
export function useSpeakTranscript(items: readonly Item[] | undefined): void {
  const { t } = useTranslation();
  const { announcer } = useConsole();
  const spoken = useRef<Map<string, number | string>>(undefined);
  useEffect(() => {
    if (items === undefined) return;
    const first = spoken.current === undefined;
    const known = (spoken.current ??= new Map());
    for (const item of items) {
      if (item.type === 'assistant_message') {
        const from = known.get(item.id);
        // What was there when the conversation opened is read, not announced.
        if (first) known.set(item.id, item.text.length);
        else if (typeof from !== 'number' || from < item.text.length) {
          const { sentences, next } = completeSentences(item.text, {
            from: Number(from ?? 0),
            finished: !item.streaming,
          });
          known.set(item.id, next);
          announcer.say(sentences);
        }
      } else if (item.type === 'tool_call') {
        if (!first && known.get(item.id) !== item.status && item.status === 'waiting_approval') {
          announcer.say(
            t('approval.title', { tool: item.title ?? item.tool, connector: item.connectorName }),
            'assertive',
          );
        } else if (!first && known.get(item.id) !== item.status && item.status === 'waiting_sign_in') {
          announcer.say(t('callSignIn.title', { name: item.connectorName }), 'assertive');
        } else if (!first && known.get(item.id) !== item.status && item.status !== 'running') {
          announcer.say(
            t('call.ended', { tool: item.title ?? item.tool, status: t(`call.status.${item.status}`) }),
          );
        }
        known.set(item.id, item.status);
      } else if (item.type === 'problem' && !known.has(item.id)) {
        known.set(item.id, 0);
        if (!first) announcer.say(t(`problem.title.${item.code}`), 'assertive');
      }
    }
  }, [items, announcer, t]);
}
