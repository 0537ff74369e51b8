/**
 * The loops of a graph: sets of places that all lead back to each other. Places outside any loop
 * are not named.
 */
export function loopsOf(follow: readonly ReadonlyMap<number, unknown>[]): {
  /** The loop of each place, or -1. */
  readonly loopOf: readonly number[];
  readonly loops: readonly (readonly number[])[];
} {
  const count = follow.length;
  const order = finishingOrder(follow);
  const before: number[][] = Array.from({ length: count }, () => []);
  follow.forEach((targets, place) => targets.forEach((_, target) => before[target]?.push(place)));
  const loopOf = Array.from({ length: count }, () => -1);
  const seen = new Uint8Array(count);
  const loops: number[][] = [];
  for (const start of order.reverse()) {
    if (seen[start] === 1) continue;
    const members: number[] = [];
    const open = [start];
    seen[start] = 1;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      members.push(place);
      for (const source of before[place] ?? []) {
        if (seen[source] === 1) continue;
        seen[source] = 1;
        open.push(source);
      }
    }
    if (members.length === 1 && follow[start]?.has(start) !== true) continue;
    for (const member of members) loopOf[member] = loops.length;
    loops.push(members);
  }
  return { loopOf, loops };
}

/** Depth first, each place after all that it leads to. */
function finishingOrder(follow: readonly ReadonlyMap<number, unknown>[]): number[] {
  const order: number[] = [];
  const seen = new Uint8Array(follow.length);
  for (let start = 0; start < follow.length; start++) {
    if (seen[start] === 1) continue;
    seen[start] = 1;
    const open = [{ place: start, rest: [...(follow[start]?.keys() ?? [])] }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        order.push(top.place);
        open.pop();
      } else if (seen[next] !== 1) {
        seen[next] = 1;
        open.push({ place: next, rest: [...(follow[next]?.keys() ?? [])] });
      }
    }
  }
  return order;
}
