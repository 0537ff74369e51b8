import { format } from '@cfworker/json-schema';

/**
 * The formats both engines check, with the same functions, so that they cannot disagree. Others are
 * notes without effect, as is `url`, whose check takes too long on some texts.
 */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries(format).filter(([name]) => name !== 'url'),
);

/** The check for the format that a schema names, if there is one. */
export function formatsOf(
  schema: Readonly<Record<string, unknown>>,
): ((text: string) => boolean) | undefined {
  const { format: name } = schema;
  return typeof name === 'string' ? FORMATS.get(name) : undefined;
}

/** All formats by name. */
export function allFormats(): ReadonlyMap<string, (text: string) => boolean> {
  return FORMATS;
}
