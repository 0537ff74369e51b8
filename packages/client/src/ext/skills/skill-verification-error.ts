import { SdkError } from '../../errors.ts';

/**
 * Why a file was refused: the entry does not list it, it has another number of bytes, other bytes,
 * another frontmatter than the entry says, or it is more than this side takes of a skill.
 */
export type SkillVerificationReason = 'unlisted' | 'size' | 'digest' | 'frontmatter' | 'limits';

/**
 * A file of a skill that must not be used: it is not what its entry says. When it is the skill's
 * `SKILL.md`, the whole skill must not be loaded. Texts and data hold nothing of the file's content.
 */
export class SkillVerificationError extends SdkError {
  static override readonly brand: string = 'SkillVerificationError';
  readonly reason: SkillVerificationReason;
  readonly uri: string;
  /** For `frontmatter`, one line for each field that differs. */
  readonly differences: readonly string[];

  // oxlint-disable-next-line max-params -- the official SDK's signature, so that its callers run unchanged
  constructor(
    reason: SkillVerificationReason,
    uri: string,
    message: string,
    differences: readonly string[] = [],
    options: ErrorOptions = {},
  ) {
    super('INVALID_RESULT', message, { reason, uri, differences }, options);
    this.name = 'SkillVerificationError';
    this.reason = reason;
    this.uri = uri;
    this.differences = differences;
  }
}
