import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTOR_ACTIONS, CONNECTOR_CAUSES, CONNECTOR_STATES } from '@portico/api';
import { describe, expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

type Tree = { readonly [key: string]: string | Tree };

const flatten = (tree: Tree, prefix = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(tree).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[`${prefix}${key}`, value]] : [...flatten(value, `${prefix}${key}.`)],
    ),
  );
const english = flatten(en);
const german = flatten(de);
const slots = (text: string): readonly string[] => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

const sources = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.startsWith('i18n'))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, '..', name), 'utf8') }));

describe('catalogues', () => {
  it('have the same keys', () => {
    expect([...german.keys()]).toEqual([...english.keys()]);
  });

  it.each([...english.keys()])('%s says the same in both languages', (key) => {
    const [a = '', b = ''] = [english.get(key), german.get(key)];
    expect(a.trim()).not.toBe('');
    expect(b.trim()).not.toBe('');
    expect(slots(b)).toEqual(slots(a));
  });

  it('K27 have the words of the host and of the command line for states, causes and actions', () => {
    const { status, cause, action, start: begin, reconnect, edit, review, enable } = en.connectors;
    expect({ status, cause, action }).toEqual({
      status: CONNECTOR_STATES,
      cause: CONNECTOR_CAUSES,
      action: CONNECTOR_ACTIONS,
    });
    // What the buttons say that stand elsewhere.
    const { start, cancel, applicationChange } = en.signIn;
    expect({
      start: begin,
      reconnect,
      edit,
      review,
      enable,
      sign_in: start,
      cancel_sign_in: cancel,
      change_credentials: applicationChange,
    }).toEqual(CONNECTOR_ACTIONS);
    for (const words of [de.connectors.status, de.connectors.action]) {
      expect(new Set(Object.values(words)).size).toBe(Object.keys(words).length);
    }
  });

  it('have both plural forms of everything that is counted', () => {
    for (const key of english.keys()) {
      const other = key.endsWith('_one')
        ? `${key.slice(0, -4)}_other`
        : key.endsWith('_other')
          ? `${key.slice(0, -6)}_one`
          : key;
      expect(english.has(other), other).toBe(true);
    }
  });

  it('hold no text that no screen uses', () => {
    const used = sources.map(({ text }) => text).join('\n');
    const unused = [...english.keys()].filter((key) => {
      const name = key.replace(/_(one|other)$/, '');
      const parent = name.slice(0, name.lastIndexOf('.'));
      return (
        !used.includes(`'${name}'`) && !new RegExp(`\`${parent.replaceAll('.', '\\.')}\\.\\$\\{`).test(used)
      );
    });
    expect(unused).toEqual([]);
  });
});

/** Words that are the same in every language. */
const SAME_EVERYWHERE = new Set(['npm start']);

describe('screens', () => {
  it.each(sources.filter(({ name }) => name.endsWith('.tsx')))(
    '$name writes no text of its own',
    ({ text }) => {
      const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
      const between = [...code.matchAll(/>([^<>{}()[\]|=;]*\p{L}{2}[^<>{}()[\]|=;]*)(?:<\/|\{)/gu)].map(
        (match) => (match[1] ?? '').trim(),
      );
      const inAttributes = [
        ...code.matchAll(/\b(?:aria-label|title|placeholder|alt|label|hint)="([^"]*\p{L}{2}[^"]*)"/gu),
      ].map((match) => match[1] ?? '');
      const raw = [...between, ...inAttributes].filter(
        (words) => !SAME_EVERYWHERE.has(words) && !/^[\w./:@ -]*(?:@|:\/\/)[\w./:@ -]*$/.test(words),
      );
      expect(raw).toEqual([]);
    },
  );
});
