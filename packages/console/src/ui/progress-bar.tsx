import { useTranslation } from 'react-i18next';
import { classNames } from './class-names.ts';

export interface ProgressBarProps {
  readonly label: string;
  readonly progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  };
}

/** How far something is, in its own words where it has some; without a total it only shows that it goes on. */
export function ProgressBar({ label, progress: { progress, total, message } }: ProgressBarProps) {
  const { t } = useTranslation();
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, progress / total)) : undefined;
  return (
    <div className="min-w-0 flex-1">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 100) })}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={classNames(
            'h-full rounded-full bg-accent transition-[width] duration-300',
            share === undefined && 'breathe w-full opacity-40',
          )}
          style={share === undefined ? undefined : { width: `${share * 100}%` }}
        />
      </div>
      <p className="mt-1.5 truncate text-xs text-ink-faint">
        {message ?? (share === undefined ? t('call.running') : t('call.step', { progress, total }))}
      </p>
    </div>
  );
}
