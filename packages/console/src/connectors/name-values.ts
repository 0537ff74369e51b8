/** One name with its secret value, as it is being typed. */
export interface NameValue {
  readonly key: string;
  readonly name: string;
  /** `null`: the value that is stored stays. */
  readonly value: string | null;
  /** A value is stored under this name already. */
  readonly stored: boolean;
}

export function storedValues(names: readonly string[]): readonly NameValue[] {
  return names.map((name) => ({ key: `stored:${name}`, name, value: null, stored: true }));
}

/** What is sent: entries without a name are left out. */
export function toRecord(entries: readonly NameValue[]): Record<string, string | null> {
  return Object.fromEntries(
    entries.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}

/** Reads pasted `NAME=value` or `Name: value` lines; undefined when the text is something else. */
export function parseLines(text: string): readonly (readonly [string, string])[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => /^(?:export\s+)?([A-Za-z_][\w-]*)\s*[=:]\s*(.*)$/.exec(line));
  if (pairs.length === 0 || pairs.some((match) => match === null)) return undefined;
  return pairs.flatMap((match) =>
    match === null ? [] : [[match[1] ?? '', unquoted(match[2] ?? '')] as const],
  );
}

const unquoted = (value: string): string => {
  const match = /^(["'])([\s\S]*)\1$/.exec(value);
  return match === null ? value : (match[2] ?? '');
};
