import { ServerError } from '../../errors.ts';
import type { SkillWarning } from './types.ts';

/** Most problems that a message names. */
const MAX_NAMED = 20;

/** Skills cannot be served: their storage failed, or under `strict` they break the rules. */
export class SkillCatalogError extends ServerError {
  static override readonly brand: string = 'SkillCatalogError';
  readonly problems: readonly SkillWarning[];

  constructor(problems: readonly SkillWarning[], options: ErrorOptions = {}) {
    const named = problems.slice(0, MAX_NAMED).map(({ path, message }) => `${path}: ${message}`);
    const rest = problems.length > named.length ? `; and ${String(problems.length - named.length)} more` : '';
    super('INVALID_SKILLS', {
      message: `The skills cannot be served. ${named.join('; ')}${rest}`,
      data: { problems },
      cause: options.cause,
    });
    this.name = 'SkillCatalogError';
    this.problems = problems;
  }
}

/** An option that makes no sense: of the kind that the official SDK throws, with a code of ours. */
export function invalidOption(Kind: new (message: string) => Error, message: string): Error {
  return Object.assign(new Kind(message), { code: 'INVALID_SKILLS' as const });
}
