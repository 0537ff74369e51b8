import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole, useHost } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';

/** The stream may be away for this long before the page says so, in milliseconds. */
const BANNER_AFTER_MS = 5_000;

/** Says that what the page shows may be old, and offers a newer release of the page itself. */
export function StreamBanner() {
  const lostForSeconds = useLostSeconds();
  const newVersion = useHost((state) => state.newVersion);
  const { host } = useConsole();
  const { t } = useTranslation();
  if (lostForSeconds !== undefined) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-3 border-b border-warn-line bg-warn-soft px-4 py-1.5"
      >
        <WifiOff aria-hidden className="size-4 text-warn" />
        <span className="min-w-0 flex-1 text-sm">{t('shell.streamLost', { count: lostForSeconds })}</span>
        <Button icon={RefreshCw} onClick={() => void host.retry()}>
          {t('shell.reconnectNow')}
        </Button>
      </div>
    );
  }
  if (newVersion === undefined) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-b border-accent-line bg-accent-soft px-4 py-1.5"
    >
      <span className="min-w-0 flex-1 text-sm">{t('shell.newVersion', { version: newVersion })}</span>
      <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
    </div>
  );
}

/** Age of the loss in steps of ten seconds, so that it is not spoken every second. */
function useLostSeconds(): number | undefined {
  const { clock } = useConsole();
  const stream = useHost((state) => state.stream);
  const lostSinceMs = useHost((state) => state.lostSinceMs);
  const [nowMs, setNowMs] = useState(0);
  const isLost = stream === 'lost' && lostSinceMs !== undefined;
  const ageMs = isLost ? Math.max(nowMs, clock.now()) - lostSinceMs : 0;
  useEffect(() => {
    if (!isLost) return;
    const next = ageMs < BANNER_AFTER_MS ? BANNER_AFTER_MS - ageMs : 10_000;
    const timer = clock.setTimer(next, () => setNowMs(clock.now()));
    return () => timer.cancel();
  }, [isLost, ageMs, clock]);
  return isLost && ageMs >= BANNER_AFTER_MS ? Math.floor(ageMs / 5_000) * 5 : undefined;
}
