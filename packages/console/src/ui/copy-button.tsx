import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { IconButton } from './button.tsx';

const SHOWN_MS = 1_500;

export interface CopyButtonProps {
  /** What is copied, or what makes it once somebody wants it. */
  readonly text: string | (() => string);
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const { clock, announcer } = useConsole();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = clock.setTimer(SHOWN_MS, () => setCopied(false));
    return () => timer.cancel();
  }, [copied, clock]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setCopied(true);
      announcer.say(t('general.copied'));
    } catch {
      announcer.say(t('general.copyFailed'), 'assertive');
    }
  };
  return (
    <IconButton
      label={copied ? t('general.copied') : label}
      icon={copied ? Check : Copy}
      onClick={() => void copy()}
    />
  );
}
