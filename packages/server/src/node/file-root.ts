import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { ServerError } from '../errors.ts';

/** A folder whose files are served. */
export interface FileRoot {
  /**
   * The real path of a file below the folder, for the variable of a template such as
   * `file:///{+path}`. The name is taken as it came: decoded once by the template, no further.
   *
   * @throws ServerError `OUTSIDE_ROOT` for anything that is not, or not surely, below the folder:
   *   dot segments raw or encoded, absolute paths, drive letters, NUL, backslashes, and links that
   *   lead out; and for what does not exist
   */
  resolve(name: string): Promise<string>;
}

/** Percent signs that would spell a separator or a dot when decoded once more. */
const ENCODED = /%(?:2e|2f|5c|00)/i;

/**
 * Serves the files of one folder and nothing else.
 * @param folder an existing folder; links in its own path are followed
 */
export function createFileRoot(folder: string): FileRoot {
  let real: Promise<string> | undefined;
  const root = (): Promise<string> => (real ??= realpath(folder));
  return {
    async resolve(name) {
      if (!isPlainName(name)) throw outside();
      const path = await realpath(join(await root(), name)).catch((cause: unknown) => {
        throw outside(cause);
      });
      const below = relative(await root(), path);
      if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
        throw outside();
      return path;
    },
  };
}

function isPlainName(name: string): boolean {
  if (name === '' || name.includes('\0') || name.includes('\\') || ENCODED.test(name)) return false;
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return false;
  return name.split('/').every((segment) => segment !== '..' && segment !== '.' && segment !== '');
}

/** One text for everything, so that nothing can be learned of what lies outside. */
function outside(cause?: unknown): ServerError {
  return new ServerError('OUTSIDE_ROOT', { cause });
}
