import { isMetaKey } from './meta-keys.ts';

/** Whether the id of an extension has the vendor's prefix that tells it from those of others. */
export function isExtensionId(id: string): boolean {
  const slash = id.indexOf('/');
  return slash > 0 && slash < id.length - 1 && isMetaKey(id);
}

/** The first declared extension whose id is none; undefined when all are well formed. */
export function malformedExtensionId(
  capabilities: { readonly extensions?: object } | undefined,
): string | undefined {
  return Object.keys(capabilities?.extensions ?? {}).find((id) => !isExtensionId(id));
}
