import { JsonSchemaError, shown } from '../errors.ts';
import { areEntangled, isAmbiguousLoop } from './ambiguity.ts';
import { loopsOf } from './loops.ts';
import { parsePattern, type PatternNode } from './parse-pattern.ts';
import { type PatternGraph, patternGraph } from './pattern-graph.ts';

/** Longest text by how fast the time for it may grow: with its length, its square, its cube. */
const REACH: readonly number[] = [Infinity, Infinity, 20_000, 500];

/**
 * Refuses patterns that could take far longer than their text is long: those with repetitions that
 * can share out one text among themselves in many ways (nested ones such as `(a+)+`, neighbouring
 * ones such as `a*a*`), back references, and those too large to be judged. Patterns whose
 * repetitions could share text only across something between them are let through for short texts.
 *
 * @returns the longest text, in characters, that the pattern may be run on
 * @throws JsonSchemaError `UNSAFE_PATTERN`, and `INVALID_KEYWORD` for text that is no pattern
 */
export function assertSafePattern(pattern: string, maxLength: number): number {
  if (pattern.length > maxLength) throw unsafe(pattern, `it is longer than ${String(maxLength)} characters`);
  try {
    // oxlint-disable-next-line no-new -- only to see whether it is one
    new RegExp(pattern, 'u');
  } catch (cause) {
    throw new JsonSchemaError('INVALID_KEYWORD', {
      message: `the schema cannot be used: "${shown(pattern)}" is no pattern`,
      data: { keyword: 'pattern' },
      cause,
    });
  }
  const node = parsePattern(pattern);
  const degree = degreeOf(node, pattern);
  const anchored = startsAnchored(node);
  const reach = REACH[degree > 0 && !anchored ? degree + 1 : degree];
  if (reach === undefined) throw unsafe(pattern, 'its repetitions overlap');
  return reach;
}

/** The power of the text's length that matching may take, by what repeats. */
function degreeOf(node: PatternNode, pattern: string): number {
  const graph = patternGraph(node);
  if (graph === undefined) throw unsafe(pattern, 'it is too involved to be judged');
  const { loops, loopOf } = loopsOf(graph.follow);
  for (const [index, loop] of loops.entries()) {
    if (isAmbiguousLoop(loop, (place) => loopOf[place] === index, graph)) {
      throw unsafe(pattern, 'it nests repetitions');
    }
  }
  const after = loops.map((loop) => reachableFrom(loop, graph));
  const entangled = loops.map((loop, index) =>
    loops.flatMap((other, otherIndex) => {
      const [place = -1] = other;
      if (otherIndex === index || after[index]?.has(place) !== true) return [];
      if (!areEntangled(loop, other, { loopOf, graph })) return [];
      const adjacent = loop.some((from) =>
        [...(graph.follow[from]?.keys() ?? [])].some((target) => loopOf[target] === otherIndex),
      );
      if (adjacent) throw unsafe(pattern, 'its repetitions overlap');
      return [otherIndex];
    }),
  );
  let degree = longestChain(entangled);
  for (const { part, repeated } of graph.looks) {
    degree = Math.max(degree, degreeOf(part, pattern)) + (repeated ? 1 : 0);
  }
  return degree;
}

function reachableFrom(loop: readonly number[], { follow }: PatternGraph): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...loop];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const target of follow[place]?.keys() ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

/** Loops lead to later ones only, so every chain ends. */
function longestChain(entangled: readonly (readonly number[])[]): number {
  const lengths = new Map<number, number>();
  const lengthFrom = (loop: number): number => {
    const known = lengths.get(loop);
    if (known !== undefined) return known;
    const longest = 1 + Math.max(0, ...(entangled[loop] ?? []).map(lengthFrom));
    lengths.set(loop, longest);
    return longest;
  };
  return Math.max(0, ...entangled.map((_, loop) => lengthFrom(loop)));
}

function startsAnchored(node: PatternNode): boolean {
  switch (node.type) {
    case 'border':
      return node.start;
    case 'sequence': {
      const [first] = node.parts;
      return first !== undefined && startsAnchored(first);
    }
    case 'choice':
      return node.options.every(startsAnchored);
    case 'repeat':
      return node.min > 0 && startsAnchored(node.part);
    case 'characters':
    case 'look':
    case 'back-reference':
      return false;
  }
}

function unsafe(pattern: string, why: string): JsonSchemaError {
  return new JsonSchemaError('UNSAFE_PATTERN', {
    message: `the pattern "${shown(pattern)}" is not run: ${why}`,
    data: { pattern: shown(pattern) },
  });
}
