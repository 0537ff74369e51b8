/** A JSON object, and nothing else that JSON can be. */
export type JsonDocument = Readonly<Record<string, unknown>>;

/** Reads a text as a JSON object; undefined for anything else. Never throws. */
export function parseDocument(text: string): JsonDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonDocument)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a list of nothing but texts. */
function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** A copy in which members that should be lists of texts and are not are left out: servers write null and the like. */
export function withoutBrokenLists(document: JsonDocument, members: readonly string[]): JsonDocument {
  const broken = members.filter((member) => member in document && !isTextList(document[member]));
  return Object.fromEntries(Object.entries(document).filter(([member]) => !broken.includes(member)));
}
