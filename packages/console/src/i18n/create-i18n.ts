import { createInstance } from 'i18next';
import type { i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { de } from './de.ts';
import { en } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** All texts of both languages are in the page, so that switching needs no request. */
export function createI18n(language: string): I18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    // React escapes already; escaping twice would show entities.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}

/** Writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(?:ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
}
