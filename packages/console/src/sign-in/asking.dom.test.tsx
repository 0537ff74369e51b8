import type { Connector, ConnectorAuth, ToolCall } from '@portico/api';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderConsole } from '../../../../testing/render-console.ts';
import type { RenderOptions, RenderedConsole } from '../../../../testing/render-console.ts';

const HOST = 'login.example.com';
const AUTH: ConnectorAuth = {
  signedIn: true,
  scopes: ['read'],
  hasClientSecret: false,
  redirectUrl: 'http://127.0.0.1:6001/oauth/callback',
  opens: HOST,
};
const ASKS = { scopes: ['write', 'share\u202Edaer'], reason: 'posts need write' };

function mail(auth: Partial<ConnectorAuth>, status: Connector['status'] = 'ready'): Connector {
  return {
    id: 'mail',
    name: 'Mail',
    label: '',
    groupId: 'mail',
    enabled: true,
    starts: 'with_portico',
    status,
    cause: { kind: 'connected', message: '' },
    action: 'sign_in',
    toolCount: 1,
    toolsVersion: '',
    createdAtMs: 1,
    transport: { kind: 'http', url: 'https://mail.example.com/mcp', headerNames: [] },
    auth: { ...AUTH, ...auth },
  };
}

const CALL: ToolCall = {
  type: 'tool_call',
  id: 'call-1',
  connectorId: 'mail',
  connectorName: 'Mail',
  tool: 'send',
  arguments: {},
  origin: 'person',
  status: 'waiting_sign_in',
  createdAtMs: 1,
};

const LANGUAGES = [
  ['en', 'English'],
  ['de', 'German'],
] as const;
type Language = (typeof LANGUAGES)[number][0];

afterEach(() => vi.restoreAllMocks());

interface ShowOptions extends RenderOptions {
  readonly language?: Language;
}

const open = (auth: Partial<ConnectorAuth>, options: Partial<ShowOptions> = {}): Promise<RenderedConsole> =>
  show(mail(auth), { address: '/connectors/mail', ...options });

async function show(connector: Connector, { language = 'en', ...options }: ShowOptions) {
  const console = await renderConsole(options);
  console.services.preferences.setState({ language });
  await console.emit({ type: 'connector.changed', connector });
  return console;
}

const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));
const text = (): string => document.body.textContent ?? '';

/** Address of the window that a press opens. */
function opened(act: () => void): string {
  const open = vi.spyOn(window, 'open').mockReturnValue(window);
  act();
  return String(open.mock.calls[0]?.[0]);
}

/** Opens the menu of the connector. */
async function openMenu(console: RenderedConsole, name = 'More actions'): Promise<void> {
  fireEvent.keyDown(screen.getByRole('button', { name }), { key: 'Enter' });
  await console.settle();
}

const MORE = {
  en: [
    'Mail needs more permission',
    'New permissions',
    'The server says: “posts need write”',
    'Allow more at',
  ],
  de: ['Mail braucht mehr Rechte', 'Neue Rechte', 'Der Server sagt: „posts need write“', 'Mehr erlauben bei'],
} as const;

describe.each(LANGUAGES)('in %s', (language) => {
  const [title, label, reason, button] = MORE[language];

  it('K47 says with the connector which permissions are new and why, and asks for them', async () => {
    await open({ asks: ASKS }, { language });
    expect(text()).toContain(title);
    expect(text()).toContain(reason);
    const list = screen.getByRole('list', { name: label });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['write', 'share\\u{202e}daer']);
    expect(opened(() => press(`${button} ${HOST}`))).toContain('/sign-in/mail?mode=window');
  });

  it('K46 K47 says the same where the call waits, and what happens to the call', async () => {
    const console = await show(mail({ asks: ASKS }), {
      address: '/c/c5',
      items: { c5: [CALL] },
      language,
    });
    expect(text()).toContain(title);
    expect(text()).toContain(reason);
    expect(within(screen.getByRole('list', { name: label })).getAllByRole('listitem')).toHaveLength(2);
    expect(text()).toContain(language === 'en' ? 'sent by itself, once' : 'ein einziges Mal');
    expect(opened(() => press(`${button} ${HOST}`))).toContain('/sign-in/mail?mode=window');
    press(language === 'en' ? 'Do not wait' : 'Nicht warten');
    await console.settle();
    expect(console.callsOf('cancelCall')).toEqual([['c5', 'call-1']]);
  });

  it('K48 names an open server’s first refusal by what it is, not as a sign-in that was lost', async () => {
    await open({ signedIn: false, scopes: [], asks: { scopes: [] } }, { language });
    expect(text()).toContain(
      language === 'en'
        ? 'The server answers without a sign-in, but refused a part of what it offers.'
        : 'Der Server antwortet ohne Anmeldung, hat aber einen Teil seines Angebots abgelehnt.',
    );
    expect(screen.queryByRole('list', { name: label })).toBeNull();
    expect(screen.queryByRole('list', { name: language === 'en' ? 'Permissions' : 'Rechte' })).toBeNull();
    const start = language === 'en' ? `Sign in at ${HOST}` : `Bei ${HOST} anmelden`;
    expect(opened(() => press(start))).toContain('/sign-in/mail?mode=window');
  });

  it('K48 offers in the menu of a server that answers without one to sign in, and asks nobody', async () => {
    const console = await open({ signedIn: false, scopes: [] }, { language });
    const start = language === 'en' ? `Sign in at ${HOST}` : `Bei ${HOST} anmelden`;
    expect(screen.queryByRole('button', { name: start })).toBeNull();
    await openMenu(console, language === 'en' ? 'More actions' : 'Weitere Aktionen');
    const item = screen.getByRole('menuitem', { name: start });
    expect(opened(() => fireEvent.click(item))).toContain('/sign-in/mail?mode=window');
  });

  it('K49 says that the application acts, and does not send a person anywhere', async () => {
    const application = { proof: 'secret', algorithm: 'ES256', scope: '' } as const;
    await open({ actsAs: 'application', clientId: 'robot', application, asks: ASKS }, { language });
    const acting = language === 'en' ? /^Acts as the application/ : /^Handelt als die Anwendung/;
    expect(screen.getAllByText(acting)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: `${button} ${HOST}` })).toBeNull();
    press(language === 'en' ? 'Change credentials' : 'Zugangsdaten ändern');
    expect(within(screen.getByRole('dialog')).getByDisplayValue('robot')).toBeTruthy();
  });
});

describe('who is asked', () => {
  it('K48 offers no sign-in in the menu where none is published, or somebody is signed in', async () => {
    const { opens: _opens, ...unpublished } = AUTH;
    for (const auth of [{ ...unpublished, signedIn: false }, AUTH]) {
      // oxlint-disable no-await-in-loop -- one page at a time
      const console = await show({ ...mail({}), auth }, { address: '/connectors/mail' });
      await openMenu(console);
      // oxlint-enable no-await-in-loop
      expect(screen.getByRole('menuitem', { name: 'Edit' })).toBeTruthy();
      expect(screen.queryByRole('menuitem', { name: /^Sign in/ })).toBeNull();
    }
  });

  it('K46 tells a call that lost its sign-in from one that never had one', async () => {
    const items = { c5: [CALL] };
    await show(mail({ signedIn: false }, 'needs_sign_in'), { address: '/c/c5', items });
    expect(text()).toContain('Mail wants you to sign in again');
    await show(mail({ signedIn: false, asks: { scopes: [] } }), { address: '/c/c5', items });
    expect(text()).toContain('Mail asks you to sign in');
    expect(text()).not.toContain('again');
  });

  it('K49 leads from a call that the application may not do to its credentials', async () => {
    const application = { proof: 'secret', algorithm: 'ES256', scope: '' } as const;
    const connector = mail({ actsAs: 'application', application, asks: ASKS });
    await show(connector, { address: '/c/c5', items: { c5: [CALL] } });
    expect(screen.queryByRole('button', { name: /^Allow more|^Sign in/ })).toBeNull();
    const link = screen.getByRole('link', { name: 'Change credentials' });
    expect(link.getAttribute('href')).toBe('/connectors/mail');
  });
});

describe('the dialog of an application', () => {
  const stored = { proof: 'key', algorithm: 'RS256', scope: 'read write' } as const;
  const set: RenderOptions['api'] = {
    setIdentity: async () => mail({}),
    forgetIdentity: async () => mail({}),
  };
  const openDialog = async (auth: Partial<ConnectorAuth>): Promise<RenderedConsole> => {
    const console = await open(auth, { api: set });
    await openMenu(console);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Act as the application' }));
    await console.settle();
    return console;
  };
  const known = {
    actsAs: 'application',
    clientId: 'robot',
    hasPrivateKey: true,
    application: stored,
  } as const;

  it('K49 shows what is stored, so that saving again changes nothing', async () => {
    const console = await openDialog(known);
    expect(screen.getByLabelText<HTMLInputElement>('Permissions').value).toBe('read write');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'RS256' }).checked).toBe(true);
    press('Save');
    await console.settle();
    expect(console.callsOf('setIdentity')).toEqual([
      [
        'mail',
        {
          grant: 'application',
          clientId: 'robot',
          proof: 'key',
          clientSecret: null,
          privateKey: null,
          algorithm: 'RS256',
          scope: 'read write',
        },
      ],
    ]);
  });

  it('K49 takes a secret, says who acts, and never shows what is stored', async () => {
    const console = await openDialog({ signedIn: false });
    expect(text()).toContain('Everybody who uses this account acts as the application, not as themselves.');
    fireEvent.change(screen.getByLabelText('Client id'), { target: { value: ' robot ' } });
    const secret = screen.getByLabelText<HTMLInputElement>('Client secret', { selector: 'input' });
    expect(secret.type).toBe('password');
    fireEvent.change(secret, { target: { value: 'sesame' } });
    press('Save');
    await console.settle();
    expect(console.callsOf('setIdentity')[0]?.[1]).toMatchObject({
      clientId: 'robot',
      proof: 'secret',
      clientSecret: 'sesame',
    });
  });

  it('K49 ends it on demand, and only where it acts', async () => {
    const console = await openDialog(known);
    press('Stop acting as the application');
    await console.settle();
    expect(console.callsOf('forgetIdentity')).toEqual([['mail']]);
    await openDialog({ signedIn: false });
    expect(screen.queryByRole('button', { name: 'Stop acting as the application' })).toBeNull();
  });
});
