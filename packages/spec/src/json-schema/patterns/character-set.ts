/** Code points as ranges, low and high in turn, ordered and apart from each other. */
export type CharacterSet = readonly number[];

const LAST = 0x10_ff_ff;

export const EVERYTHING: CharacterSet = [0, LAST];
export const DIGITS: CharacterSet = [0x30, 0x39];
export const WORD: CharacterSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const SPACE: CharacterSet = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x16_80, 0x16_80, 0x20_00, 0x20_0a, 0x20_28, 0x20_29, 0x20_2f, 0x20_2f,
  0x20_5f, 0x20_5f, 0x30_00, 0x30_00, 0xfe_ff, 0xfe_ff,
];
const LINE_ENDS: CharacterSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x20_28, 0x20_29];

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const ranges: [number, number][] = [];
  for (const set of sets) {
    for (let index = 0; index < set.length; index += 2) {
      ranges.push([set[index] ?? 0, set[index + 1] ?? 0]);
    }
  }
  ranges.sort(([a], [b]) => a - b);
  const joined: number[] = [];
  for (const [low, high] of ranges) {
    const last = joined.length - 1;
    if (last > 0 && low <= (joined[last] ?? 0) + 1) joined[last] = Math.max(joined[last] ?? 0, high);
    else joined.push(low, high);
  }
  return joined;
}

export function complement(set: CharacterSet): CharacterSet {
  const rest: number[] = [];
  let from = 0;
  for (let index = 0; index < set.length; index += 2) {
    const low = set[index] ?? 0;
    if (low > from) rest.push(from, low - 1);
    from = (set[index + 1] ?? 0) + 1;
  }
  if (from <= LAST) rest.push(from, LAST);
  return rest;
}

/** What `.` stands for. */
export const NOT_LINE_END: CharacterSet = complement(LINE_ENDS);

export function overlaps(first: CharacterSet, second: CharacterSet): boolean {
  let a = 0;
  let b = 0;
  while (a < first.length && b < second.length) {
    const low = Math.max(first[a] ?? 0, second[b] ?? 0);
    const high = Math.min(first[a + 1] ?? 0, second[b + 1] ?? 0);
    if (low <= high) return true;
    if ((first[a + 1] ?? 0) < (second[b + 1] ?? 0)) a += 2;
    else b += 2;
  }
  return false;
}
