import { RouterProvider } from '@tanstack/react-router';
import type { i18n as I18n } from 'i18next';
import { Direction } from 'radix-ui';
import { useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { directionOf } from './i18n/create-i18n.ts';
import { StartScreen } from './pages/start-screens.tsx';
import type { createConsoleRouter } from './router.tsx';
import { ConsoleProvider, useHost, usePreferences } from './state/console-context.tsx';
import type { ConsoleServices } from './state/console-context.tsx';

export interface ConsoleAppProps {
  readonly services: ConsoleServices;
  readonly i18n: I18n;
  readonly router: ReturnType<typeof createConsoleRouter>;
}

export function ConsoleApp({ services, i18n, router }: ConsoleAppProps) {
  return (
    <ConsoleProvider value={services}>
      <I18nextProvider i18n={i18n}>
        <Preferred i18n={i18n} router={router} />
      </I18nextProvider>
    </ConsoleProvider>
  );
}

/** Applies language and theme to the document, and shows the console once the host has answered. */
function Preferred({ i18n, router }: Omit<ConsoleAppProps, 'services'>) {
  const language = usePreferences((preferences) => preferences.language);
  const theme = usePreferences((preferences) => preferences.theme);
  const ready = useHost((state) => state.phase === 'ready');
  useEffect(() => {
    void i18n.changeLanguage(language);
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [i18n, language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <Direction.Provider dir={directionOf(language)}>
      {ready ? <RouterProvider router={router} /> : <StartScreen />}
    </Direction.Provider>
  );
}
