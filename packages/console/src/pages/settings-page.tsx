import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../shell/page.tsx';
import { useConsole, useHost, usePreferences } from '../state/console-context.tsx';
import { LANGUAGES, THEMES } from '../state/preferences.ts';
import { Notice } from '../ui/notice.tsx';
import { Toggle } from '../ui/toggle.tsx';

export function SettingsPage() {
  const { t } = useTranslation();
  useScrollToHash();
  return (
    <Page title={t('shell.settings')}>
      <div className="flex flex-col gap-8">
        <ModelSection />
        <LookSection />
        <AboutSection />
      </div>
    </Page>
  );
}

function useScrollToHash(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
}

interface SettingsSectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

function SettingsSection({ id, title, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6">
      <h2 id={`${id}-title`} className="mb-3 text-base font-semibold">
        {title}
      </h2>
      <div className="rounded-2xl border border-line bg-raised p-4 shadow-card">{children}</div>
    </section>
  );
}

function ModelSection() {
  const { t } = useTranslation();
  const model = useHost((state) => state.model);
  return (
    <SettingsSection id="model" title={t('settings.model')}>
      {model.configured ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
          <dt className="text-ink-faint">{t('settings.modelName')}</dt>
          <dd>{model.model}</dd>
          <dt className="text-ink-faint">{t('settings.modelEndpoint')}</dt>
          <dd>{model.endpoint}</dd>
        </dl>
      ) : (
        <p className="text-sm">
          <span className="font-medium">{t('settings.modelNone')}</span>{' '}
          <span className="text-ink-soft">{t('settings.modelNoneHint')}</span>
        </p>
      )}
      <div className="mt-4 border-t border-line pt-4">
        <p className="text-sm text-ink-soft">{t('settings.modelHow')}</p>
        <pre
          tabIndex={0}
          aria-label={t('settings.modelExample')}
          className="mt-2 overflow-x-auto rounded-lg bg-sunken px-3 py-2.5 text-xs leading-5"
        >
          {'ANTHROPIC_API_KEY=… npm start'}
        </pre>
        <p className="mt-3 text-sm text-ink-soft">{t('settings.modelHowLocal')}</p>
        <pre
          tabIndex={0}
          aria-label={t('settings.modelExampleLocal')}
          className="mt-2 overflow-x-auto rounded-lg bg-sunken px-3 py-2.5 text-xs leading-5"
        >
          {'ANTHROPIC_BASE_URL=http://localhost:11434 ANTHROPIC_API_KEY=… npm start'}
        </pre>
        <p className="mt-3 text-xs text-ink-faint">{t('settings.modelKey')}</p>
      </div>
    </SettingsSection>
  );
}

function LookSection() {
  const { t } = useTranslation();
  const { preferences } = useConsole();
  const { language, theme, shortcuts } = usePreferences((state) => state);
  return (
    <SettingsSection id="look" title={t('settings.look')}>
      <div className="flex flex-col gap-5">
        <Choice
          id="theme"
          legend={t('settings.theme')}
          options={THEMES.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
          value={theme}
          onChange={(next) => preferences.setState({ theme: next })}
        />
        <Choice
          id="language"
          legend={t('settings.language')}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          value={language}
          onChange={(next) => preferences.setState({ language: next })}
        />
        <Toggle
          label={t('shortcuts.singleKeys')}
          hint={t('shortcuts.singleKeysHint')}
          checked={shortcuts}
          onChange={(next) => preferences.setState({ shortcuts: next })}
        />
      </div>
    </SettingsSection>
  );
}

/** Languages are named in themselves. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

interface ChoiceProps<Value extends string> {
  readonly id: string;
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ id, legend, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset id={id} className="scroll-mt-6">
      <legend className="mb-1.5 text-xs font-medium">{legend}</legend>
      <div className="inline-flex rounded-xl bg-sunken p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="control-height flex cursor-pointer items-center rounded-lg px-4 text-sm text-ink-soft transition-colors has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function AboutSection() {
  const { t } = useTranslation();
  const version = useHost((state) => state.version);
  const isolated = useHost((state) => state.isolatedOrigins);
  return (
    <SettingsSection id="about" title={t('settings.about')}>
      <p className="text-sm">{t('settings.version', { version })}</p>
      <p className="mt-1 text-sm text-ink-soft">{t('settings.aboutText')}</p>
      {isolated ? null : (
        <div className="mt-4">
          <Notice tone="warn" title={t('settings.notIsolatedTitle')}>
            {t('settings.notIsolatedHint')}
          </Notice>
        </div>
      )}
    </SettingsSection>
  );
}
