import { ProtocolError as JsonRpcError } from '@portico/rpc';
import { describe, expect, it } from 'vitest';
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from './protocol-error.ts';

const page = { mode: 'url' as const, elicitationId: 'e1', url: 'https://example.com/', message: 'Open' };

describe('ProtocolError.fromError', () => {
  it.each([
    [-32602, { uri: 'file:///a' }, ResourceNotFoundError],
    [-32002, { uri: 'file:///a', more: 1 }, ResourceNotFoundError],
    [-32042, { elicitations: [page] }, UrlElicitationRequiredError],
    [-32022, { supported: ['2026-07-28'], requested: '2020-01-01' }, UnsupportedProtocolVersionError],
    [-32021, { requiredCapabilities: { roots: {} } }, MissingRequiredClientCapabilityError],
  ])('rebuilds the kind of %i with its data', (code, data, kind) => {
    const error = ProtocolError.fromError(code, 'why', data);
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error.message).toBe('why');
    expect(error.code).toBe(code === -32002 ? -32602 : code);
    expect(error.name).toBe('ProtocolError');
  });

  it.each([
    [-32602, { uri: 'file:///a', reason: 'must be https' }],
    [-32602, undefined],
    [-32002, undefined],
    [-32042, { elicitations: 'no list' }],
    [-32022, { supported: [1], requested: '2020-01-01' }],
    [-32021, { requiredCapabilities: [] }],
    [-32603, { uri: 'file:///a' }],
    [17, 'text'],
  ])('leaves %i with other data as it is', (code, data) => {
    const error = ProtocolError.fromError(code, 'why', data);
    expect(Object.getPrototypeOf(error)).toBe(ProtocolError.prototype);
    expect(error).toMatchObject({ code, message: 'why', data });
  });

  it('gives what the kinds are made of', () => {
    expect(new ResourceNotFoundError('x:y').uri).toBe('x:y');
    expect(new UrlElicitationRequiredError([page]).elicitations).toEqual([page]);
    const version = new UnsupportedProtocolVersionError({ supported: ['a'], requested: 'b' });
    expect([version.supported, version.requested]).toEqual([['a'], 'b']);
    const missing = new MissingRequiredClientCapabilityError({ requiredCapabilities: { roots: {} } });
    expect(missing.requiredCapabilities).toEqual({ roots: {} });
  });
});

describe('instanceof and isInstance', () => {
  it('match the error class of the engine, and the other way round', () => {
    expect(new JsonRpcError(1, 'm')).toBeInstanceOf(ProtocolError);
    expect(new ResourceNotFoundError('x:y')).toBeInstanceOf(JsonRpcError);
    expect(ProtocolError.isInstance(new JsonRpcError(1, 'm'))).toBe(true);
  });

  it('tell the kinds apart', () => {
    expect(new ProtocolError(1, 'm')).not.toBeInstanceOf(ResourceNotFoundError);
    expect(ResourceNotFoundError.isInstance(new ProtocolError(1, 'm'))).toBe(false);
    expect(ProtocolError.isInstance({ code: 1, message: 'm', name: 'ProtocolError' })).toBe(false);
    expect(ProtocolError.isInstance(undefined)).toBe(false);
  });

  it('match classes that users derive by their own prototype', () => {
    class Refused extends ProtocolError {}
    expect(new Refused(1, 'm')).toBeInstanceOf(ProtocolError);
    expect(new Refused(1, 'm')).toBeInstanceOf(Refused);
    expect(new ProtocolError(1, 'm')).not.toBeInstanceOf(Refused);
  });

  it('refuse to be called off the class', () => {
    const { isInstance } = ProtocolError as unknown as { isInstance: (value: unknown) => boolean };
    expect(() => isInstance(new ProtocolError(1, 'm'))).toThrow(TypeError);
  });
});
