import { ROUTES } from '@portico/api';
import { holdOwnStream } from '@portico/react/observe';
import { createRoot } from 'react-dom/client';
import { createApiClient } from './api/client.ts';
import { ConsoleApp } from './console-app.tsx';
import { ConsoleError } from './errors.ts';
import { createI18n } from './i18n/create-i18n.ts';
import { createConsoleRouter } from './router.tsx';
import { createAnnouncer } from './state/announcer.ts';
import { createDrafts } from './state/drafts.ts';
import { createHostStore } from './state/host-store.ts';
import type { HostStore } from './state/host-store.ts';
import { createIsolation } from './state/isolation.ts';
import { createPreferences } from './state/preferences.ts';
import { createPrompts } from './state/prompts.ts';
import { createToolLists } from './state/tool-lists.ts';
import { createViewFacts } from './state/view-facts.ts';
import { createWindowClock } from './stream/clock.ts';
import './styles/app.css';

/** Composition root: everything the page has is made here and handed down. */
function startConsole(target: Window): void {
  const place = target.document.getElementById('root');
  if (place === null) throw new ConsoleError('missing_root');
  const fetch = (input: string, init?: RequestInit): Promise<Response> => target.fetch(input, init);
  const api = createApiClient(fetch);
  const clock = createWindowClock(target);
  const preferences = createPreferences(target.localStorage, target.navigator.languages);
  const host = createHostStore({ api, fetch, clock, eventsUrl: ROUTES.events, random: Math.random });
  const services = {
    api,
    host,
    clock,
    mcp: { origin: target.location.origin },
    preferences,
    tools: createToolLists(api),
    drafts: createDrafts(target.localStorage),
    announcer: createAnnouncer(),
    prompts: createPrompts(),
    viewFacts: createViewFacts(),
    isolation: createIsolation({ fetch, clock, store: host.store }),
    newId,
  };
  const i18n = createI18n(preferences.getState().language);
  createRoot(place).render(<ConsoleApp services={services} i18n={i18n} router={createConsoleRouter()} />);
  void startHost(host, target.location.origin);
}

/** The stream of events takes one of the connections that a browser has for the host, over all tabs. */
async function startHost(host: HostStore, origin: string): Promise<void> {
  // Held until the page goes.
  await holdOwnStream(origin).catch(() => undefined);
  await host.start();
}

/** 128 random bits; `randomUUID` is missing where the page has no secure context. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

startConsole(window);
