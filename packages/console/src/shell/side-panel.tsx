import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { WITHOUT_PANEL, useMediaQuery } from '../ui/use-media-query.ts';

export interface SidePanelProps {
  readonly title: string;
  /** `large` for what is worked with there; `medium` by default. */
  readonly size?: keyof typeof WIDTHS;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const WIDTHS = { medium: 'w-90', large: 'w-[clamp(22.5rem,38vw,34rem)]' } as const;

/** Details beside the page, or in a sheet where there is no room for two columns. */
export function SidePanel({ title, size = 'medium', onClose, children }: SidePanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const asSheet = useMediaQuery(WITHOUT_PANEL);
  if (asSheet) {
    return (
      <Dialog open onClose={onClose} title={title} size="medium">
        {children}
      </Dialog>
    );
  }
  return (
    <aside
      data-region
      tabIndex={-1}
      aria-labelledby={id}
      className={classNames(
        'flex shrink-0 flex-col border-s border-line bg-paper outline-none',
        WIDTHS[size],
      )}
      onKeyDown={(event) => (closes(event) ? onClose() : undefined)}
    >
      <div className="flex min-h-14 items-center gap-2 border-b border-line ps-5 pe-2">
        <h2 id={id} className="min-w-0 flex-1 truncate text-sm font-semibold">
          {title}
        </h2>
        <IconButton label={t('general.closePanel')} icon={X} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-5">{children}</div>
    </aside>
  );
}

/** Escape, but not where somebody types or a dialog over the panel is what it is meant for. */
function closes({ key, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== 'Escape' || !(target instanceof Element) || !currentTarget.contains(target)) return false;
  return target.closest('input, textarea, select') === null;
}
