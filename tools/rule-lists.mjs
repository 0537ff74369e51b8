import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The rule lists in docs/rules. `letters` are the ids' first letters; lists whose letters also occur
 * elsewhere are cited with a prefix.
 */
export const RULE_LISTS = [
  { name: 'protocol', letters: 'W', prefix: '' },
  { name: 'react-connection', letters: 'R', prefix: '' },
  { name: 'mcp-apps-host', letters: 'ADWENMP', prefix: 'apps-' },
  { name: 'frames', letters: 'F', prefix: '' },
  { name: 'agent', letters: 'GV', prefix: '' },
  { name: 'host', letters: 'K', prefix: '' },
  { name: 'field-cases', letters: 'D', prefix: 'field-' },
  { name: 'extensions', letters: 'SPJ', prefix: 'ext-' },
];

const NOT_BUILT = /\*\*not built:\*\*\s*([^|]+)/i;

/**
 * @param {string} root
 * @returns {{name: string, rows: Map<string, {reason?: string}>}[]} rows by the id that tests cite
 */
export function readRuleLists(root) {
  return RULE_LISTS.map(({ name, letters, prefix }) => {
    const row = new RegExp(`^(?:\\|\\s*|### )([${letters}]\\d+)\\b(.*)$`);
    const rows = new Map();
    for (const line of readFileSync(join(root, 'docs/rules', `${name}.md`), 'utf8').split('\n')) {
      const match = row.exec(line);
      if (match === null) continue;
      const reason = NOT_BUILT.exec(match[2])?.[1]?.trim();
      const id = `${prefix}${match[1]}`;
      if (!rows.has(id) || reason !== undefined) rows.set(id, reason === undefined ? {} : { reason });
    }
    return { name, rows };
  });
}

const ID = /^(?:apps-|field-|ext-)?[A-Z]\d+$/;

/**
 * The rule ids at the beginning of a test's title.
 * @param {string} title
 * @returns {string[]}
 */
export function citedIds(title) {
  const ids = [];
  for (const word of title.split(/[\s,]+/)) {
    if (!ID.test(word)) break;
    ids.push(word);
  }
  return ids;
}

/**
 * Holds the lists against the tests' results. Only a passed test proves, and no row is proved while
 * another test that cites it fails.
 * @param {ReturnType<typeof readRuleLists>} lists
 * @param {readonly {title: string, state: string}[]} tests
 */
export function tally(lists, tests) {
  const passed = new Set();
  const failed = new Set();
  for (const test of tests) {
    for (const id of citedIds(test.title)) {
      if (test.state === 'passed') passed.add(id);
      else if (test.state === 'failed') failed.add(id);
    }
  }
  const known = new Set(lists.flatMap(({ rows }) => [...rows.keys()]));
  const cited = new Set(tests.flatMap((test) => citedIds(test.title)));
  const summary = Object.fromEntries(
    lists.map(({ name, rows }) => {
      const proved = [...rows.keys()].filter((id) => passed.has(id) && !failed.has(id));
      const reasoned = [...rows].filter(([id, row]) => row.reason !== undefined && !proved.includes(id));
      const open = [...rows.keys()].filter(
        (id) => !proved.includes(id) && rows.get(id)?.reason === undefined,
      );
      return [name, { total: rows.size, proved: proved.length, reasoned: reasoned.length, open }];
    }),
  );
  return { summary, unknown: [...cited].filter((id) => !known.has(id)).sort() };
}
