import { isRecord } from '@portico/spec';

/** Looks at a value that is there. @returns the path of what cannot be used in it */
export type SettingFault = (value: unknown, member: string) => string | undefined;

const faultUnless =
  (fits: (value: unknown) => boolean): SettingFault =>
  (value, member) =>
    fits(value) ? undefined : member;

export const flagFault: SettingFault = faultUnless((value) => typeof value === 'boolean');

export const textFault: SettingFault = faultUnless((value) => typeof value === 'string');

/** Text that says something. */
export const wordFault: SettingFault = faultUnless((value) => typeof value === 'string' && value !== '');

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Milliseconds, none among them. */
export const durationFault: SettingFault = faultUnless(isTime);

/** Milliseconds that pass. */
export const periodFault: SettingFault = faultUnless((value) => isTime(value) && value > 0);

export const countFault: SettingFault = faultUnless((value) => isTime(value) && Number.isInteger(value));

export function choiceFault(choices: readonly string[]): SettingFault {
  return faultUnless((value) => typeof value === 'string' && choices.includes(value));
}

/** An absolute http or https address without a name or a password in it. */
export const addressFault: SettingFault = faultUnless((value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
});

/** A path on the page's own origin: one that a browser takes for another host is none. */
export function isPagePath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

/** An address, or a place on the page's own origin by its path. */
export const placeFault: SettingFault = (value, member) =>
  isPagePath(value) ? undefined : addressFault(value, member);

/** An object whose members are looked at one by one; others are let through. */
export function membersFault(faults: Readonly<Record<string, SettingFault>>): SettingFault {
  return (value, member) => {
    if (!isRecord(value)) return member;
    for (const [name, fault] of Object.entries(faults)) {
      const found = value[name] === undefined ? undefined : fault(value[name], `${member}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** A list whose items are looked at one by one. */
export function listFault(fault: SettingFault): SettingFault {
  return (value, member) => {
    if (!Array.isArray(value)) return member;
    for (const [index, item] of value.entries()) {
      const found = fault(item, `${member}.${String(index)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
