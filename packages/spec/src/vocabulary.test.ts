import * as ext from '@modelcontextprotocol/ext-apps';
import * as official from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { hasCapability } from './has-capability.ts';
import { UI_METHODS, UI_PROTOCOL_VERSION } from './mcp-apps.ts';
import * as keys from './meta-keys.ts';
import {
  ProtocolErrorCode,
  headerMismatchError,
  isModernErrorCode,
  missingRequiredClientCapabilityError,
  unsupportedProtocolVersionError,
} from './protocol-errors.ts';
import * as versions from './versions.ts';

describe('constants', () => {
  it('have the values that the official packages give the same names', () => {
    const ours: Record<string, unknown> = { ...keys };
    const theirs: Record<string, unknown> = { ...official };
    const shared = Object.keys(ours).filter((name) => name.endsWith('_META_KEY') && name in theirs);
    expect(shared.length).toBeGreaterThanOrEqual(9);
    for (const name of shared) expect([name, ours[name]]).toEqual([name, theirs[name]]);
    expect(versions.DEFAULT_NEGOTIATED_PROTOCOL_VERSION).toBe(official.DEFAULT_NEGOTIATED_PROTOCOL_VERSION);
    const codes = Object.entries(official.ProtocolErrorCode).filter(([, code]) => typeof code === 'number');
    expect(ProtocolErrorCode).toMatchObject(Object.fromEntries(codes));
  });

  it('name the methods that the ext-apps package names', () => {
    const theirs = Object.entries(ext).filter(([name]) => name.endsWith('_METHOD'));
    expect(theirs.length).toBeGreaterThanOrEqual(10);
    for (const [, method] of theirs) expect(Object.values(UI_METHODS)).toContain(method);
    expect(UI_PROTOCOL_VERSION).toBe(ext.LATEST_PROTOCOL_VERSION);
  });

  it('list the revisions newest first', () => {
    expect(versions.SUPPORTED_PROTOCOL_VERSIONS).toEqual(
      [...versions.SUPPORTED_PROTOCOL_VERSIONS].sort().reverse(),
    );
    expect(versions.SUPPORTED_PROTOCOL_VERSIONS[0]).toBe(versions.LATEST_PROTOCOL_VERSION);
  });
});

describe('isMetaKey', () => {
  it.each([
    ['progressToken', true],
    ['com.example/key', true],
    ['com.example-x.y2/a.b_c-d', true],
    ['com.example/', true],
    ['x/y', true],
    ['', true],
    ['com.example/-key', false],
    ['com.example/key-', false],
    ['2com.example/key', false],
    ['com.example-/key', false],
    ['com..example/key', false],
    ['/key', false],
    ['a/b/c', false],
    ['a b', false],
    ['é/x', false],
    ['a'.repeat(2000), false],
  ])('takes %j for a key: %s', (key, expected) => {
    expect(keys.isMetaKey(key)).toBe(expected);
  });

  it.each([
    ['io.modelcontextprotocol/x', true],
    ['dev.mcp/x', true],
    ['org.modelcontextprotocol.api/x', true],
    ['com.mcp.tools/x', true],
    ['com.example.mcp/x', false],
    ['mcp/x', false],
    ['progressToken', false],
  ])('takes the prefix of %j for reserved: %s', (key, expected) => {
    expect(keys.isReservedMetaKey(key)).toBe(expected);
  });
});

describe('hasCapability', () => {
  it.each([
    [{ tools: {} }, 'tools', true],
    [{ tools: {} }, 'tools.listChanged', false],
    [{ tools: { listChanged: true } }, 'tools.listChanged', true],
    [{ tools: { listChanged: false } }, 'tools.listChanged', false],
    [{ tools: 'yes' }, 'tools', false],
    [undefined, 'tools', false],
    [{}, 'constructor', false],
    [{}, 'toString.name', false],
    [{}, 'elicitation.form', false],
    [{ elicitation: {} }, 'elicitation', true],
    [{ elicitation: {} }, 'elicitation.form', true],
    [{ elicitation: { form: {} } }, 'elicitation.form', true],
    [{ elicitation: { url: {} } }, 'elicitation.form', false],
    [{ elicitation: {} }, 'elicitation.url', false],
    [{ elicitation: { url: {} } }, 'elicitation.url', true],
  ])('finds in %j the path %s: %s', (capabilities, path, expected) => {
    expect(hasCapability(capabilities, path)).toBe(expected);
  });
});

describe('modern errors', () => {
  it('carry the data that clients act on', () => {
    expect(unsupportedProtocolVersionError('1999-01-01', ['2026-07-28'])).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '1999-01-01' },
    });
    expect(missingRequiredClientCapabilityError({ elicitation: { url: {} } })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    expect(headerMismatchError('x')).toMatchObject({ code: -32020 });
  });

  it('prove a modern server, and no other code does', () => {
    expect([-32020, -32021, -32022].every(isModernErrorCode)).toBe(true);
    expect([-32700, -32601, -32602, -32002, -32042, -32000, 0].some(isModernErrorCode)).toBe(false);
  });
});
