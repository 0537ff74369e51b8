import type { SessionViewProps } from '@portico/react/views';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../state/console-context.tsx';

/** Standard names of MCP Apps for our own tokens. */
const VARIABLES: Readonly<Record<string, string>> = {
  '--color-background-primary': '--surface',
  '--color-background-secondary': '--paper',
  '--color-background-tertiary': '--sunken',
  '--color-background-info': '--accent-soft',
  '--color-background-success': '--good-soft',
  '--color-background-warning': '--warn-soft',
  '--color-background-danger': '--danger-soft',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-soft',
  '--color-text-tertiary': '--ink-faint',
  '--color-text-info': '--accent',
  '--color-text-success': '--good',
  '--color-text-warning': '--warn',
  '--color-text-danger': '--danger',
  '--color-border-primary': '--line-strong',
  '--color-border-secondary': '--line',
  '--color-border-tertiary': '--line',
  '--color-ring-primary': '--focus',
};

export type ThemeContext = SessionViewProps['hostContext'];

/** What a view is told of how this page looks; equal to what the page shows at that moment. */
export function useThemeContext(): ThemeContext {
  const { i18n } = useTranslation();
  const chosen = usePreferences((preferences) => preferences.theme);
  const [context, setContext] = useState(() => readThemeContext(i18n.language));
  useEffect(() => {
    const update = (): void => setContext(readThemeContext(i18n.language));
    update();
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', update);
    return () => system.removeEventListener('change', update);
  }, [i18n.language, chosen]);
  return context;
}

function readThemeContext(language: string): ThemeContext {
  const chosen = document.documentElement.dataset['theme'];
  const dark =
    chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  return {
    theme: dark ? 'dark' : 'light',
    locale: language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    styles: { variables: { ...readColours(), '--font-sans': readFont() } },
  };
}

/** Colours as the browser resolves them, since a custom property by itself keeps its formula. */
function readColours(): Record<string, string> {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const entries = Object.entries(VARIABLES).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries);
}

const readFont = (): string => getComputedStyle(document.documentElement).fontFamily;
