import { isAmbiguousFrom } from './ambiguity.ts';
import type { CharacterSet } from './character-set.ts';
import type { PatternNode } from './parse-pattern.ts';

/** Which character of a pattern may follow which; a place stands for one character of the pattern. */
export interface PatternGraph {
  readonly sets: readonly CharacterSet[];
  /** By place, the places that may follow and in how many ways. */
  readonly follow: readonly ReadonlyMap<number, number>[];
  /** Contents of looks ahead and behind, each matched by itself, and whether in a repetition. */
  readonly looks: readonly { readonly part: PatternNode; readonly repeated: boolean }[];
}

const MAX_PLACES = 600;
const MAX_EDGES = 20_000;
/** Places a repetition with an end may take when written out; beyond, it counts as one without end. */
const MAX_WRITTEN_OUT = 200;
/** Copies of something that may be empty, which can share out a text in many ways. */
const MAX_EMPTY_COPIES = 3;

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Fragment = { nullable: true, first: [], last: [] };

/** The graph of a pattern, or undefined when it is too large or not regular to be judged. */
export function patternGraph(node: PatternNode): PatternGraph | undefined {
  const builder = new GraphBuilder();
  builder.build(node, false);
  return builder.refused ? undefined : builder;
}

class GraphBuilder implements PatternGraph {
  readonly sets: CharacterSet[] = [];
  readonly follow: Map<number, number>[] = [];
  readonly looks: { part: PatternNode; repeated: boolean }[] = [];
  refused = false;
  #edges = 0;

  build(node: PatternNode, repeated: boolean): Fragment {
    if (this.refused) return EMPTY;
    switch (node.type) {
      case 'characters':
        return this.#place(node.set);
      case 'sequence':
        return this.#sequence(node.parts.map((part) => () => this.build(part, repeated)));
      case 'choice':
        return this.#choice(node.options.map((option) => this.build(option, repeated)));
      case 'repeat':
        return this.#repeat(node, repeated);
      case 'look':
        this.looks.push({ part: node.part, repeated });
        return EMPTY;
      case 'border':
        return EMPTY;
      case 'back-reference':
        this.refused = true;
        return EMPTY;
    }
  }

  #place(set: CharacterSet): Fragment {
    const place = this.sets.push(set) - 1;
    this.follow.push(new Map());
    if (this.sets.length > MAX_PLACES) this.refused = true;
    return { nullable: false, first: [place], last: [place] };
  }

  #sequence(parts: readonly (() => Fragment)[]): Fragment {
    let whole = EMPTY;
    for (const part of parts) {
      const next = part();
      this.#connect(whole.last, next.first);
      whole = {
        nullable: whole.nullable && next.nullable,
        first: whole.nullable ? [...whole.first, ...next.first] : whole.first,
        last: next.nullable ? [...whole.last, ...next.last] : next.last,
      };
    }
    return whole;
  }

  #choice(options: readonly Fragment[]): Fragment {
    return {
      nullable: options.some((option) => option.nullable),
      first: options.flatMap((option) => option.first),
      last: options.flatMap((option) => option.last),
    };
  }

  #repeat(node: PatternNode & { readonly type: 'repeat' }, repeated: boolean): Fragment {
    const { part, min, max } = node;
    if (max === 0) return EMPTY;
    if (max * sizeOf(part) <= MAX_WRITTEN_OUT) return this.#writtenOut(node, repeated);
    const loop = this.build(part, true);
    // Copies that may be empty would count as different ways to read the same text.
    if (loop.nullable && max !== Infinity) this.refused = true;
    this.#connect(loop.last, loop.first);
    return min === 0 ? { ...loop, nullable: true } : loop;
  }

  /** Each copy follows the one before it, as engines try them. */
  #writtenOut(node: PatternNode & { readonly type: 'repeat' }, repeated: boolean): Fragment {
    const { part, min, max } = node;
    const start = this.sets.length;
    let whole = this.build(part, repeated);
    if (whole.nullable && max > MAX_EMPTY_COPIES) this.refused = true;
    const last: number[] = min <= 1 ? [...whole.last] : [];
    let previous = whole;
    for (let copy = 2; copy <= max && !this.refused; copy++) {
      const next = this.build(part, repeated);
      this.#connect(previous.last, next.first);
      if (copy >= min) last.push(...next.last);
      previous = next;
    }
    whole = { nullable: whole.nullable || min === 0, first: whole.first, last };
    if (max > MAX_EMPTY_COPIES && part.type !== 'characters') {
      this.refused ||= isAmbiguousFrom(whole.first, start, this);
    }
    return whole;
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const source of from) {
      const edges = this.follow[source];
      if (edges === undefined) continue;
      for (const target of to) edges.set(target, (edges.get(target) ?? 0) + 1);
    }
    this.#edges += from.length * to.length;
    if (this.#edges > MAX_EDGES) this.refused = true;
  }
}

function sizeOf(node: PatternNode): number {
  switch (node.type) {
    case 'characters':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    case 'choice':
      return node.options.reduce((sum, option) => sum + sizeOf(option), 0);
    case 'repeat':
      return sizeOf(node.part) * (Number.isFinite(node.max) ? Math.max(node.max, 1) : 1);
    case 'look':
    case 'border':
    case 'back-reference':
      return 0;
  }
}
