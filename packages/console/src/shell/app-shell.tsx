import { Outlet, useRouterState } from '@tanstack/react-router';
import { Dialog as RadixDialog } from 'radix-ui';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NARROW, useMediaQuery } from '../ui/use-media-query.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { CommandPalette } from './command-palette.tsx';
import { LiveRegions } from './live-regions.tsx';
import { PromptHost } from './prompt-host.tsx';
import { ShellProvider } from './shell-context.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import { StreamBanner } from './stream-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** Everything around the page: sidebar, banner, palette, shortcuts and live regions. */
export function AppShell() {
  const narrow = useMediaQuery(NARROW);
  const [navigationOpen, setNavigationOpen] = useState(false);
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts'>();
  useHeadingFocus(() => setNavigationOpen(false));
  useShortcuts({
    onPalette: () => setOverlay((open) => (open === 'palette' ? undefined : 'palette')),
    onShortcuts: () => setOverlay('shortcuts'),
  });
  const shell = useMemo(
    () => ({ narrow, navigationOpen, setNavigationOpen, openPalette: () => setOverlay('palette') }),
    [narrow, navigationOpen],
  );
  return (
    <ShellProvider value={shell}>
      <SkipLink />
      <div className="flex h-full flex-col">
        <StreamBanner />
        <div className="flex min-h-0 flex-1">
          {narrow ? (
            <NavigationSheet open={navigationOpen} onClose={() => setNavigationOpen(false)} />
          ) : (
            <div className="w-66 shrink-0">
              <Sidebar />
            </div>
          )}
          <div className="flex min-w-0 flex-1 flex-col">
            <Outlet />
          </div>
        </div>
      </div>
      <LiveRegions />
      <PromptHost />
      <CommandPalette open={overlay === 'palette'} onClose={() => setOverlay(undefined)} />
      <ShortcutsDialog open={overlay === 'shortcuts'} onClose={() => setOverlay(undefined)} />
    </ShellProvider>
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#main"
      className="fixed start-3 top-3 z-60 -translate-y-20 rounded-lg bg-accent px-4 py-2.5 font-medium text-on-accent focus:translate-y-0"
    >
      {t('shell.skipToContent')}
    </a>
  );
}

function NavigationSheet({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-shade" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="slide-in fixed inset-y-0 start-0 z-50 w-[min(19rem,86vw)] bg-paper shadow-float outline-none"
        >
          <RadixDialog.Title className="sr-only">{t('shell.navigation')}</RadixDialog.Title>
          <Sidebar />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/**
 * After a change of page, once it is drawn, its heading has the focus, unless somebody was faster and is at
 * something of the new page already. Moving inside a page leaves the focus alone.
 */
function useHeadingFocus(onChange: () => void): void {
  const wanted = useRouterState({ select: ({ location }) => pageOf(location.pathname) });
  const page = useRouterState({
    select: ({ resolvedLocation, location }) => pageOf((resolvedLocation ?? location).pathname),
  });
  const previous = useRef(page);
  const left = useRef<Element | null>(null);
  useEffect(() => {
    left.current = document.activeElement;
  }, [wanted]);
  useEffect(() => {
    if (previous.current === page) return;
    previous.current = page;
    onChange();
    const main = document.querySelector('main');
    const now = document.activeElement;
    if (now !== left.current && main?.contains(now) === true) return;
    main?.querySelector('h1')?.focus({ preventScroll: true });
  }, [page, onChange]);
}

/** The part of an address that names a page rather than a thing on it. */
function pageOf(pathname: string): string {
  return pathname.split('/').slice(0, 3).join('/');
}
