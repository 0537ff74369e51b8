import { SKILL_LIMITS } from '@portico/spec/skills';
import type { Skill } from '@portico/spec/skills';
import { SkillVerificationError } from './skill-verification-error.ts';

/** What is taken of one skill at most. */
export interface SkillLimits {
  /** Default 512. */
  readonly files?: number | undefined;
  /** Of all files together. Default 16 MiB (16,777,216). */
  readonly bytes?: number | undefined;
}

/** Declines a skill that is too large, before anything of it is fetched. @throws SkillVerificationError */
export function assertWithinLimits({ uri, resources }: Skill, limits: SkillLimits): void {
  if (resources === 'dynamic') return;
  const { files = SKILL_LIMITS.files, bytes = SKILL_LIMITS.bytes } = limits;
  if (resources.length > files) {
    const message = `${uri} has ${String(resources.length)} files; at most ${String(files)} are taken`;
    throw new SkillVerificationError('limits', uri, message);
  }
  const total = resources.reduce((sum, { size }) => sum + size, 0);
  if (total > bytes) throw tooLarge(uri, total, bytes);
}

/** Declines a file of a skill whose entry does not say how large it is. @throws SkillVerificationError */
export function assertSize(uri: string, size: number, limits: SkillLimits): void {
  const { bytes = SKILL_LIMITS.bytes } = limits;
  if (size > bytes) throw tooLarge(uri, size, bytes);
}

function tooLarge(uri: string, size: number, limit: number): SkillVerificationError {
  const message = `${uri} has ${String(size)} bytes; at most ${String(limit)} are taken`;
  return new SkillVerificationError('limits', uri, message);
}
