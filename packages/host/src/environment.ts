import { isHttpsUrl } from '@portico/oauth';
import { HostError } from './errors.ts';
import type { ModelOptions } from './host-options.ts';

/** Model that is asked when the operator names none. */
const DEFAULT_MODEL = 'claude-sonnet-4-5';

/** What Portico takes from environment variables; this file is the only one that knows their names. */
export interface Environment {
  /** PORTICO_DATA */
  readonly dataFolder: string | undefined;
  /** PORTICO_KEY: 32 bytes in base64 */
  readonly key: string | undefined;
  /** PORTICO_PREVIOUS_KEY: what PORTICO_KEY was before, while secrets are sealed anew */
  readonly previousKey: string | undefined;
  /** PORTICO_PORT */
  readonly port: number | undefined;
  /** PORTICO_CLIENT_METADATA_URL: where the operator publishes the document by which Portico signs in */
  readonly clientMetadataUrl: string | undefined;
  /** Undefined: no model, the person calls the tools. */
  readonly model: ModelOptions | undefined;
  /** XDG_DATA_HOME */
  readonly xdgDataHome: string | undefined;
  /** LOCALAPPDATA */
  readonly localAppData: string | undefined;
  readonly desktop: DesktopVariables;
}

/** What tells whether, and how, a browser can be opened. */
export interface DesktopVariables {
  /** BROWSER: commands, separated by colons */
  readonly browser: string | undefined;
  /** DISPLAY or WAYLAND_DISPLAY is set */
  readonly hasDisplay: boolean;
  /** SSH_CONNECTION or SSH_TTY is set */
  readonly overSsh: boolean;
  /** CI is set */
  readonly inCi: boolean;
}

/**
 * Reads the variables; an empty one counts as not set.
 *
 * Throws HostError `bad_configuration`.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const value = (name: string): string | undefined => {
    const text = variables[name]?.trim();
    return text === '' ? undefined : text;
  };
  const isSet = (...names: string[]): boolean => names.some((name) => value(name) !== undefined);
  return {
    dataFolder: value('PORTICO_DATA'),
    key: value('PORTICO_KEY'),
    previousKey: value('PORTICO_PREVIOUS_KEY'),
    port: readPort(value('PORTICO_PORT'), 'PORTICO_PORT'),
    clientMetadataUrl: readDocumentAddress(value('PORTICO_CLIENT_METADATA_URL')),
    model: readModel(value),
    xdgDataHome: value('XDG_DATA_HOME'),
    localAppData: value('LOCALAPPDATA'),
    desktop: {
      browser: value('BROWSER'),
      hasDisplay: isSet('DISPLAY', 'WAYLAND_DISPLAY'),
      overSsh: isSet('SSH_CONNECTION', 'SSH_TTY'),
      inCi: isSet('CI'),
    },
  };
}

/** What this process was given. */
export function ownEnvironment(): Environment {
  return readEnvironment(process.env);
}

/**
 * A port as people write it. Throws HostError `bad_configuration`.
 *
 * @param setting where it was written, for the message
 */
export function readPort(text: string | undefined, setting: string): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new HostError('bad_configuration', {
    message: `${setting} is ${JSON.stringify(text)}, which is no port`,
    data: { setting, remedy: 'give a number from 1 to 65535' },
  });
}

function readDocumentAddress(text: string | undefined): string | undefined {
  if (text === undefined || isHttpsUrl(text)) return text;
  const setting = 'PORTICO_CLIENT_METADATA_URL';
  throw new HostError('bad_configuration', {
    message: `${setting} is ${JSON.stringify(text)}, which is no address of a client's document`,
    data: { setting, remedy: 'give an address that starts with https:// and has a path' },
  });
}

function readModel(value: (name: string) => string | undefined): ModelOptions | undefined {
  const apiKey = value('ANTHROPIC_API_KEY');
  const authToken = value('ANTHROPIC_AUTH_TOKEN');
  const baseUrl = value('ANTHROPIC_BASE_URL');
  if (baseUrl !== undefined && !isWebAddress(baseUrl)) {
    throw new HostError('bad_configuration', {
      message: `ANTHROPIC_BASE_URL is ${JSON.stringify(baseUrl)}, which is no web address`,
      data: { setting: 'ANTHROPIC_BASE_URL', remedy: 'give an address that starts with http:// or https://' },
    });
  }
  if (apiKey === undefined && authToken === undefined && baseUrl === undefined) return undefined;
  return {
    model: value('PORTICO_MODEL') ?? value('ANTHROPIC_MODEL') ?? DEFAULT_MODEL,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(authToken === undefined ? {} : { authToken }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
