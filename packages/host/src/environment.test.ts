import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

describe('the environment', () => {
  it('may be empty: no model, no desktop, every default', () => {
    expect(readEnvironment({})).toEqual({
      dataFolder: undefined,
      key: undefined,
      port: undefined,
      model: undefined,
      xdgDataHome: undefined,
      localAppData: undefined,
      desktop: { browser: undefined, hasDisplay: false, overSsh: false, inCi: false },
    });
  });

  it('gives empty variables no meaning', () => {
    const empty = { PORTICO_DATA: '', PORTICO_PORT: ' ', ANTHROPIC_API_KEY: '', CI: '', BROWSER: '' };
    expect(readEnvironment(empty)).toEqual(readEnvironment({}));
  });

  it('reads folder, key and port', () => {
    const variables = { PORTICO_DATA: '/data', PORTICO_KEY: 'abc', PORTICO_PORT: '8000' };
    expect(readEnvironment(variables)).toMatchObject({ dataFolder: '/data', key: 'abc', port: 8000 });
  });

  it.each(['0', '65536', '-1', '80.5', 'http', '1e3'])('refuses %j as a port', (port) => {
    expect(() => readEnvironment({ PORTICO_PORT: port })).toThrow(
      expect.objectContaining({ code: 'bad_configuration', exitCode: 2 }),
    );
  });

  it.each(['http://app.example/client.json', 'https://app.example', 'client.json'])(
    'refuses %j as the address of a document that describes the client',
    (address) => {
      expect(() => readEnvironment({ PORTICO_CLIENT_METADATA_URL: address })).toThrow(
        expect.objectContaining({ code: 'bad_configuration' }),
      );
    },
  );

  it('reads where a document describes the client', () => {
    const clientMetadataUrl = 'https://app.example/client.json';
    expect(readEnvironment({ PORTICO_CLIENT_METADATA_URL: clientMetadataUrl })).toMatchObject({
      clientMetadataUrl,
    });
  });

  it.each([
    [{ ANTHROPIC_API_KEY: 'key' }, { apiKey: 'key' }],
    [{ ANTHROPIC_AUTH_TOKEN: 'token' }, { authToken: 'token' }],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9000' }, { baseUrl: 'http://127.0.0.1:9000' }],
  ])('%o configures a model with a default name', (variables, model) => {
    expect(readEnvironment(variables).model).toEqual({ ...model, model: expect.any(String) as string });
  });

  it('takes the name of the model from PORTICO_MODEL, else ANTHROPIC_MODEL, and needs more than a name', () => {
    const key = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_MODEL: 'theirs' };
    expect(readEnvironment(key).model?.model).toBe('theirs');
    expect(readEnvironment({ ...key, PORTICO_MODEL: 'ours' }).model?.model).toBe('ours');
    expect(readEnvironment({ PORTICO_MODEL: 'ours' }).model).toBeUndefined();
  });

  it.each(['localhost:9000', 'ftp://host', 'nonsense'])('refuses %j as the address of a model', (url) => {
    expect(() => readEnvironment({ ANTHROPIC_BASE_URL: url })).toThrow(
      expect.objectContaining({ code: 'bad_configuration' }),
    );
  });
});
