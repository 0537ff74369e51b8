import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useHost } from '../state/console-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useShell } from './shell-context.tsx';

export interface PageProps {
  readonly title: string;
  /** Beside the heading: state, counts. */
  readonly status?: ReactNode;
  readonly actions?: ReactNode;
  /** Where one came from, above the heading. */
  readonly above?: ReactNode;
  readonly panel?: ReactNode;
  /** `reading`: one column of comfortable width; `fill`: the page lays itself out. */
  readonly layout?: 'reading' | 'wide' | 'fill';
  /** The page shows a heading of its own; the bar only stays where it holds the navigation button. */
  readonly ownHeading?: boolean;
  readonly children: ReactNode;
}

/** Frame of every screen: heading line, content and, where there is one, the side panel. */
export function Page({
  title,
  status,
  actions,
  above,
  panel,
  layout = 'reading',
  ownHeading = false,
  children,
}: PageProps) {
  useDocumentTitle(title);
  return (
    <div className="flex min-h-0 flex-1">
      <main
        id="main"
        data-region
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col bg-surface outline-none"
      >
        <PageHeader title={title} status={status} actions={actions} above={above} ownHeading={ownHeading} />
        {layout === 'fill' ? (
          children
        ) : (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <div
              className={classNames(
                'mx-auto px-4 pb-16 pt-6 md:px-8',
                layout === 'wide' ? 'max-w-5xl' : 'max-w-3xl',
              )}
            >
              {children}
            </div>
          </div>
        )}
      </main>
      {panel}
    </div>
  );
}

function PageHeader({
  title,
  status,
  actions,
  above,
  ownHeading = false,
}: Omit<PageProps, 'children' | 'panel' | 'layout'>) {
  const { t } = useTranslation();
  const shell = useShell();
  const quiet = ownHeading && !shell.narrow;
  return (
    <header
      className={classNames(
        quiet ? 'sr-only' : 'flex min-h-14 shrink-0 items-center gap-2 border-b border-line px-2 md:px-5',
      )}
    >
      {shell.narrow ? (
        <IconButton
          label={t('shell.openNavigation')}
          icon={MenuIcon}
          aria-expanded={shell.navigationOpen}
          onClick={() => shell.setNavigationOpen(true)}
        />
      ) : null}
      <div className="flex min-w-0 flex-1 items-center gap-2.5">
        {above}
        <h1
          tabIndex={-1}
          dir="auto"
          className="truncate text-[0.9375rem] font-semibold tracking-[-0.005em] outline-none"
        >
          {title}
        </h1>
        {status}
      </div>
      {actions === undefined ? null : <div className="flex shrink-0 items-center gap-1.5">{actions}</div>}
    </header>
  );
}

function useDocumentTitle(title: string): void {
  const waiting = useHost((state) =>
    Object.values(state.conversations).reduce((sum, { waitingApprovals }) => sum + waitingApprovals, 0),
  );
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Portico`;
  }, [title, waiting]);
}
