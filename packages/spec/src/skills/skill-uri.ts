import { SKILL_FILE } from './constants.ts';

const URI = /^([A-Za-z][A-Za-z0-9+.-]*):([^?#]+)$/;
/** Empty segments stand only before the first name: the slashes of `skill://` and `file:///`. */
const LEADING_SEGMENTS = 3;

/** Characters that a name in a path cannot have: separators of any system, and what is not printed. */
function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  for (let index = 0; index < name.length; index++) {
    const unit = name.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f || unit === 0x2f || unit === 0x5c) return false;
  }
  return true;
}

/** The name that a segment of a URI stands for; undefined for what is no name or cannot be decoded. */
function decodeSegment(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment);
    return isPlainName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** A name as a segment of a URI; undefined for what is no name. */
export function encodeSegment(name: string): string | undefined {
  try {
    return isPlainName(name) ? encodeURIComponent(name) : undefined;
  } catch {
    // Half of a character has no UTF-8.
    return undefined;
  }
}

/**
 * The one spelling of a URI by which files are compared: segments decoded and encoded anew, so that it
 * does not matter who escapes what. Undefined for URIs with dot segments, query, fragment, encoded
 * slashes, empty names or broken escapes.
 */
export function uriKey(uri: string): string | undefined {
  const [, scheme, path] = URI.exec(uri) ?? [];
  if (scheme === undefined || path === undefined) return undefined;
  const segments = path.split('/');
  const keys: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isLeading = segment === '' && index < LEADING_SEGMENTS && index < segments.length - 1;
    const name = isLeading ? '' : decodeSegment(segment);
    const key = name === undefined || name === '' ? name : encodeSegment(name);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return `${scheme.toLowerCase()}:${keys.join('/')}`;
}

/** Where a skill lies. */
export interface SkillPlace {
  /** Of its `SKILL.md`. */
  readonly key: string;
  /** Of its folder, without a slash at the end. */
  readonly rootKey: string;
  /** Its folder as the URI spells it. */
  readonly root: string;
  /** The name of its folder. */
  readonly name: string;
}

/** Undefined when the URI is not one of a `SKILL.md` in a folder. */
export function skillPlaceOf(uri: string): SkillPlace | undefined {
  const key = uriKey(uri);
  if (key === undefined || !key.endsWith(`/${SKILL_FILE}`)) return undefined;
  const rootKey = key.slice(0, -SKILL_FILE.length - 1);
  const name = decodeSegment(rootKey.slice(rootKey.lastIndexOf('/') + 1).replace(/^[^/:]+:/, ''));
  if (name === undefined) return undefined;
  return { key, rootKey, root: uri.slice(0, uri.lastIndexOf('/')), name };
}

export function isInside(key: string, { rootKey }: SkillPlace): boolean {
  return key.startsWith(`${rootKey}/`);
}

/** A file that a reference may mean. */
export interface ReferencedFile {
  readonly key: string;
  readonly uri: string;
}

/**
 * What a reference inside a skill may mean, the likeliest first; nothing when it leads out of the
 * skill. References are paths from the skill's folder, escaped or not, or whole URIs; fragments do not
 * matter.
 */
export function resolveReference(place: SkillPlace, reference: string): ReferencedFile[] {
  const [path = ''] = reference.split('#', 1);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    const key = uriKey(path);
    return key !== undefined && isInside(key, place) ? [{ key, uri: path }] : [];
  }
  const readings = [walk(path, decodeOrRefuse), walk(path, literally)];
  const files: ReferencedFile[] = [];
  for (const names of readings) {
    const segments = names?.map(encodeSegment);
    if (segments === undefined || segments.includes(undefined)) continue;
    const below = segments.join('/');
    files.push({ key: `${place.rootKey}/${below}`, uri: `${place.root}/${below}` });
  }
  return files;
}

/** Signs of percent that escape nothing are part of a name. */
function decodeOrRefuse(segment: string): string | undefined {
  try {
    decodeURIComponent(segment);
  } catch {
    return segment;
  }
  return decodeSegment(segment);
}

/** What would be no name once it is decoded is none at all. */
function literally(segment: string): string | undefined {
  return decodeOrRefuse(segment) === undefined ? undefined : segment;
}

/** The names on a path; undefined when it leaves the folder, even if it comes back. */
function walk(path: string, read: (segment: string) => string | undefined): string[] | undefined {
  const names: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '.') continue;
    if (segment === '..') {
      if (names.pop() === undefined) return undefined;
      continue;
    }
    const name = read(segment);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names.length === 0 ? undefined : names;
}
