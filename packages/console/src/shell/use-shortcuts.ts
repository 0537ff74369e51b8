import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePreferences } from '../state/console-context.tsx';

export interface ShortcutHandlers {
  readonly onPalette: () => void;
  readonly onShortcuts: () => void;
}

/** Keyboard shortcuts of the whole page; single keys never fire while somebody types. */
export function useShortcuts({ onPalette, onShortcuts }: ShortcutHandlers): void {
  const navigate = useNavigate();
  const singleKeys = usePreferences((preferences) => preferences.shortcuts);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
      } else if (event.key === 'F6') {
        event.preventDefault();
        focusNextRegion(event.shiftKey ? -1 : 1);
      } else if (singleKeys && !event.ctrlKey && !event.metaKey && !event.altKey && !isBusy(event)) {
        const action = SINGLE_KEYS[event.key];
        if (action === undefined) return;
        event.preventDefault();
        if (action === 'shortcuts') onShortcuts();
        else if (action === 'composer') document.querySelector<HTMLElement>('[data-composer]')?.focus();
        else void navigate({ to: action });
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate, onPalette, onShortcuts, singleKeys]);
}

const SINGLE_KEYS: Readonly<
  Record<string, 'shortcuts' | 'composer' | '/' | '/artifacts' | '/connectors' | '/settings'>
> = {
  '?': 'shortcuts',
  '/': 'composer',
  h: '/',
  a: '/artifacts',
  c: '/connectors',
  s: '/settings',
};

/** Typing, or a dialog that owns the keyboard. */
function isBusy(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (
    target?.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') instanceof
    Element
  )
    return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')];
  if (regions.length === 0) return;
  const current = regions.findIndex((region) => region.contains(document.activeElement));
  const next =
    current === -1
      ? step === 1
        ? 0
        : regions.length - 1
      : (current + step + regions.length) % regions.length;
  regions[next]?.focus();
}
