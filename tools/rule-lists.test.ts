import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citedIds, readRuleLists, tally } from './rule-lists.mjs';

const root = join(import.meta.dirname, '..');

describe('rule lists', () => {
  it('finds every row of every list', () => {
    const totals = Object.fromEntries(readRuleLists(root).map(({ name, rows }) => [name, rows.size]));
    expect(totals).toEqual({
      protocol: 260,
      'react-connection': 170,
      'mcp-apps-host': 256,
      frames: 182,
      agent: 446,
      host: 230,
      'field-cases': 40,
      extensions: 74,
    });
  });

  it('reads the ids at the beginning of a title and nothing else', () => {
    expect(citedIds('F14 settles after ten seconds')).toEqual(['F14']);
    expect(citedIds('K7, K8 apps-A14 field-D4 ext-S3 holds for F15')).toEqual([
      'K7',
      'K8',
      'apps-A14',
      'field-D4',
      'ext-S3',
    ]);
    expect(citedIds('opens a page as F14 says')).toEqual([]);
  });

  it('counts a row only when a citing test passed and none failed', () => {
    const lists = [
      {
        name: 'host',
        rows: new Map([
          ['K1', {}],
          ['K2', {}],
          ['K3', { reason: 'x' }],
          ['K4', {}],
        ]),
      },
    ];
    const { summary, unknown } = tally(lists, [
      { title: 'K1 a', state: 'passed' },
      { title: 'K2 a', state: 'passed' },
      { title: 'K2 b', state: 'failed' },
      { title: 'K4 a', state: 'skipped' },
      { title: 'K9 a', state: 'passed' },
    ]);
    expect(summary['host']).toEqual({ total: 4, proved: 1, reasoned: 1, open: ['K2', 'K4'] });
    expect(unknown).toEqual(['K9']);
  });
});
