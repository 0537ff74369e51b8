import { isRecord } from '../guards.ts';
import { MORE_SHAPES } from './more-shapes.ts';
import { SHAPES } from './shapes.ts';

/** Says whether a value has a shape. */
export type Check = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === 'string';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

function isJson(value: unknown): boolean {
  if (value === null || isText(value) || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isJson);
}

/** The words in lower case. */
const WORDS: Readonly<Record<string, Check>> = {
  string: isText,
  number: Number.isFinite,
  int: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  record: isRecord,
  something: (value) => value !== undefined,
  json: isJson,
  /** From 0 to 1. */
  share: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  time: (value) => isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value)),
  base64: (value) => isText(value) && BASE64.test(value),
  url: (value) => isText(value) && URL.canParse(value),
  file: (value) => isText(value) && value.startsWith('file://'),
  hundred: (value) => Array.isArray(value) && value.length <= 100 && value.every(isText),
};

interface Member {
  readonly key: string;
  readonly optional: boolean;
  readonly check: Check;
}

/** Reads the shapes when a type is first asked for, so that nothing is done before. */
export class ShapeChecks {
  readonly #checks = new Map<string, Check>();

  /** @throws TypeError for a name that is no type */
  for(name: string): Check {
    const known = this.#checks.get(name) ?? (Object.hasOwn(WORDS, name) ? WORDS[name] : undefined);
    if (known !== undefined) return known;
    const shape = shapeOf(name);
    if (shape === undefined) throw new TypeError(`${name} is no type of the specification`);
    const check = shape.startsWith('=') ? this.#type(shape.slice(1)) : this.#object(shape);
    this.#checks.set(name, check);
    return check;
  }

  #object(shape: string): Check {
    const members = this.#members(shape);
    const strict = shape.startsWith('!');
    const keys = new Set(members.map(({ key }) => key));
    return (value) => {
      if (!isRecord(value)) return false;
      for (const { key, optional, check } of members) {
        const member = value[key];
        if (member === undefined ? !optional : !check(member)) return false;
      }
      return !strict || Object.keys(value).every((key) => keys.has(key));
    };
  }

  #members(shape: string): Member[] {
    const tokens = shape.replace(/^!/, '').split(' ').filter(Boolean);
    return tokens.flatMap((token) => {
      if (token.startsWith('...')) return this.#members(shapeOf(token.slice(3)) ?? '');
      const [, key = '', mark, type = ''] = /^([^:?]+)(\??):(.*)$/.exec(token) ?? [];
      return [{ key, optional: mark === '?', check: this.#type(type) }];
    });
  }

  #type(type: string): Check {
    const choices = type.split('|').map((choice) => this.#one(choice));
    const [only] = choices;
    if (choices.length === 1 && only !== undefined) return only;
    return (value) => choices.some((choice) => choice(value));
  }

  #one(type: string): Check {
    if (type.startsWith("'")) {
      const text = type.slice(1, -1);
      return (value) => value === text;
    }
    if (type.endsWith('[]')) {
      const item = this.#one(type.slice(0, -2));
      return (value) => Array.isArray(value) && value.every(item);
    }
    if (type.endsWith('{}')) {
      const item = this.#one(type.slice(0, -2));
      return (value) => isRecord(value) && Object.values(value).every(item);
    }
    return this.for(type);
  }
}

function shapeOf(name: string): string | undefined {
  if (Object.hasOwn(SHAPES, name)) return SHAPES[name];
  return Object.hasOwn(MORE_SHAPES, name) ? MORE_SHAPES[name] : undefined;
}
