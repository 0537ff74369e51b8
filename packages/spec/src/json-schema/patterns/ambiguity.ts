import { type CharacterSet, overlaps } from './character-set.ts';

/** The part of a pattern graph that walking it takes. */
export interface Walkable {
  readonly sets: readonly CharacterSet[];
  readonly follow: readonly ReadonlyMap<number, number>[];
}

/** Steps of walkers before a pattern counts as too involved to be judged. */
const MAX_STEPS = 300_000;

/**
 * True when one text can lead around a loop in two ways. Two walkers start together and read the
 * same characters; if they part and meet again, they have found such a text.
 *
 * @param loop the places of the loop
 * @param isInside whether a place belongs to it
 */
export function isAmbiguousLoop(
  loop: readonly number[],
  isInside: (place: number) => boolean,
  graph: Walkable,
): boolean {
  for (const place of loop) {
    for (const [target, ways] of graph.follow[place] ?? []) if (ways > 1 && isInside(target)) return true;
  }
  return walkersMeet(
    loop.map((place) => [place, place]),
    isInside,
    graph,
  );
}

/** True when one text can lead from the first places on in two ways, as far as the graph goes. */
export function isAmbiguousFrom(first: readonly number[], start: number, graph: Walkable): boolean {
  const pairs = first.flatMap((left) => first.map((right) => [left, right] as const));
  const apart = pairs.some(
    ([left, right]) => left !== right && overlaps(graph.sets[left] ?? [], graph.sets[right] ?? []),
  );
  return apart || walkersMeet(pairs, (place) => place >= start, graph);
}

function walkersMeet(
  starts: readonly (readonly [number, number])[],
  isInside: (place: number) => boolean,
  { follow, sets }: Walkable,
): boolean {
  const seen = new Set<number>();
  const open = starts.filter(([left, right]) => left === right);
  for (const [place] of open) seen.add(place * follow.length + place);
  let steps = 0;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [left, right] = pair;
    for (const a of follow[left]?.keys() ?? []) {
      for (const b of follow[right]?.keys() ?? []) {
        if (++steps > MAX_STEPS) return true;
        if (!isInside(a) || !isInside(b)) continue;
        if (a !== b && !overlaps(sets[a] ?? [], sets[b] ?? [])) continue;
        if (a === b && left !== right) return true;
        const key = a * follow.length + b;
        if (seen.has(key)) continue;
        seen.add(key);
        open.push([a, b]);
      }
    }
  }
  return false;
}

/**
 * True when one text can be read by going around the first loop, by going around the second, and by
 * going from the first into the second: then matching may try every place to change over.
 */
export function areEntangled(
  first: readonly number[],
  second: readonly number[],
  { loopOf, graph }: { readonly loopOf: readonly number[]; readonly graph: Walkable },
): boolean {
  const budget = { steps: MAX_STEPS };
  const within = { first: loopOf[first[0] ?? 0] ?? -1, second: loopOf[second[0] ?? 0] ?? -1 };
  return first.some((p) => second.some((q) => threeMeet(p, q, { graph, loopOf, within, budget })));
}

interface ThreeWalkers {
  readonly graph: Walkable;
  readonly loopOf: readonly number[];
  readonly within: { readonly first: number; readonly second: number };
  readonly budget: { steps: number };
}

/** Walkers at p, p and q that read the same text and end at p, q and q. */
function threeMeet(p: number, q: number, walk: ThreeWalkers): boolean {
  const size = walk.graph.follow.length;
  const seen = new Set<number>();
  const open: Places[] = [[p, p, q]];
  for (let places = open.pop(); places !== undefined; places = open.pop()) {
    for (const next of together(places, walk)) {
      if (--walk.budget.steps < 0) return true;
      const [a, b, c] = next;
      if (a === p && b === q && c === q) return true;
      const key = (a * size + b) * size + c;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return false;
}

type Places = readonly [number, number, number];

/** Where the three walkers can be after one more character that all of them read. */
function* together([x, y, z]: Places, { graph, loopOf, within }: ThreeWalkers): Generator<Places> {
  const { follow, sets } = graph;
  const steps = (place: number): number[] => [...(follow[place]?.keys() ?? [])];
  const share = (left: number, right: number): boolean => overlaps(sets[left] ?? [], sets[right] ?? []);
  const outer = steps(x).filter((place) => loopOf[place] === within.first);
  const inner = steps(z).filter((place) => loopOf[place] === within.second);
  for (const a of outer) {
    const withA = inner.filter((place) => share(a, place));
    for (const b of withA.length === 0 ? [] : steps(y).filter((place) => share(a, place))) {
      for (const c of withA) if (share(b, c)) yield [a, b, c];
    }
  }
}
