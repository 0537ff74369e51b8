export interface PageFile {
  readonly name: string;
  readonly html: string;
  readonly bytes: number;
}

export type TakenFiles =
  | { readonly page: PageFile; readonly manifest?: string }
  | { readonly problem: 'not_html' | 'too_large' | 'unreadable' };

/** The page among dropped files, with a `*.manifest.json` beside it. */
export async function readPageFiles(files: readonly File[], maxBytes: number): Promise<TakenFiles> {
  const page = files.find(({ name, type }) => /\.html?$/i.test(name) || type === 'text/html');
  if (page === undefined) return { problem: 'not_html' };
  if (page.size > maxBytes) return { problem: 'too_large' };
  const beside = files.find(({ name, size }) => /\.manifest\.json$/i.test(name) && size < 262_144);
  try {
    const html = await page.text();
    const manifest = await beside?.text();
    return {
      page: { name: page.name, html, bytes: page.size },
      ...(manifest === undefined ? {} : { manifest }),
    };
  } catch {
    return { problem: 'unreadable' };
  }
}

export type ManifestText = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** Blank text is no manifest; whether it is a good one is for the host to say. */
export function readManifestText(text: string): ManifestText {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
