import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPermissionState } from './permission-state.ts';
import { parseRule } from './rules.ts';

const names = ['mcp__a', 'mcp__a__*', 'mcp__a__x', 'mcp__a__y', 'mcp__b', 'mcp__b__x', 'mcp__*'];
const rules = fc.subarray(names).map((list) => list.flatMap((name) => parseRule(name) ?? []));
const mode = fc.constantFrom(
  'default',
  'plan',
  'acceptEdits',
  'bypassPermissions',
  'sandboxBashMode' as const,
);

it('never turns a denied call into another verdict by more allow rules', () => {
  fc.assert(
    fc.property(mode, rules, rules, (chosen, deny, allow) => {
      const judge = (granted: typeof allow) => {
        const state = createPermissionState({ mode: chosen, allow: granted, deny, warn: () => {} });
        return ['a', 'b'].flatMap((server) =>
          ['x', 'y'].map((tool) => {
            const name = `mcp__${server}__${tool}`;
            return state.judge({ name, ownName: name, server, tool, readOnly: true }, 'allow').behavior;
          }),
        );
      };
      const before = judge([]);
      const freed = judge(allow).filter((behavior, index) => before[index] === 'deny' && behavior !== 'deny');
      expect(freed).toEqual([]);
    }),
  );
});
