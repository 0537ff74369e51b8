import { isRecord } from '@portico/spec';

/** How a server presents itself, kept so that it can be shown before it is connected. Source: R85. */
export interface CachedServerMetadata {
  readonly name: string;
  readonly title?: string;
  readonly version?: string;
  readonly websiteUrl?: string;
  readonly icons?: { src: string; mimeType?: string; sizes?: string[] }[];
  /** A `data:` URL of an image; 64 KiB at most. */
  readonly icon?: string;
  /** When it was learnt, epoch milliseconds. */
  readonly cachedAt: number;
}

const MAX_TEXT_LENGTH = 1_024;
const MAX_ICONS = 16;
const MAX_SIZES = 16;
const MAX_ICON_LENGTH = 65_536;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;

function text<Name extends string>(name: Name, value: unknown): { [name in Name]?: string } {
  return isText(value) ? ({ [name]: value } as { [name in Name]?: string }) : {};
}

function iconOf(value: unknown): NonNullable<CachedServerMetadata['icons']>[number] | undefined {
  if (!isRecord(value) || !isText(value['src'])) return undefined;
  const { src, mimeType, sizes } = value;
  const kept = Array.isArray(sizes) ? sizes.filter(isText).slice(0, MAX_SIZES) : undefined;
  return { src, ...text('mimeType', mimeType), ...(kept === undefined ? {} : { sizes: kept }) };
}

/**
 * What may be kept of what a server says of itself, or of what the store says that it said: nothing else
 * than is named, and only as much as fits.
 *
 * @returns undefined when not even a name is there
 */
export function cachedMetadata(value: unknown): CachedServerMetadata | undefined {
  if (!isRecord(value)) return undefined;
  const { name, title, version, websiteUrl, icons, icon, cachedAt } = value;
  if (!isText(name) || typeof cachedAt !== 'number' || !Number.isFinite(cachedAt)) return undefined;
  const list = Array.isArray(icons) ? icons.slice(0, MAX_ICONS).map(iconOf) : [];
  const kept = list.filter((item) => item !== undefined);
  const isImage =
    typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= MAX_ICON_LENGTH;
  return {
    name,
    ...text('title', title),
    ...text('version', version),
    ...text('websiteUrl', websiteUrl),
    ...(kept.length === 0 ? {} : { icons: kept }),
    ...(isImage ? { icon } : {}),
    cachedAt,
  };
}
