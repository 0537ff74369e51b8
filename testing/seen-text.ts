import { readFileSync, readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { openHttp } from './http.ts';

/** One place where text came to light, for a message that says where. */
export interface SeenText {
  readonly where: string;
  readonly bytes: Buffer;
}

/** A secret as it is, and in the encodings that would pass for a hidden one. */
const encodings = (secret: string): readonly Buffer[] => [
  Buffer.from(secret, 'utf8'),
  Buffer.from(secret, 'utf16le'),
  Buffer.from(Buffer.from(secret).toString('hex')),
  // Without its last characters, which depend on what follows the secret.
  Buffer.from(
    Buffer.from(secret)
      .toString('base64')
      .replace(/.{0,4}$/, ''),
  ),
];

/** The places that hold one of the texts, each with the text. */
export function placesOf(texts: readonly string[], seen: readonly SeenText[]): readonly string[] {
  return seen.flatMap(({ where, bytes }) =>
    texts
      .filter((text) => encodings(text).some((encoded) => bytes.includes(encoded)))
      .map((text) => `${text} in ${where}`),
  );
}

/** Keeps head and body of every answer that pages and frames of a browser profile receive. */
export function recordAnswers(context: BrowserContext): () => Promise<readonly SeenText[]> {
  const reading: Promise<SeenText>[] = [];
  context.on('response', (response) => reading.push(readAnswer(response)));
  return () => Promise.all(reading);
}

async function readAnswer(response: Response): Promise<SeenText> {
  const headers = await response.allHeaders().catch(() => response.headers());
  const head = `${response.status()} ${response.url()}\n${JSON.stringify(headers)}\n`;
  // A stream has no end to wait for, and a redirect or an answer that was left has no body.
  const hasBody = headers['content-type']?.startsWith('text/event-stream') !== true;
  const body = hasBody ? await response.body().catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
  return {
    where: `answer ${response.request().method()} ${response.url()}`,
    bytes: Buffer.concat([Buffer.from(head), body]),
  };
}

/** `Cookie` header of a signed-in browser profile. */
export async function cookieOf(context: BrowserContext): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

export interface RecordedStream {
  readonly seen: () => SeenText;
  /** Settles when this much has come. */
  waitFor(text: string): Promise<void>;
  close(): void;
}

/** Follows the event stream as a tab does, from its very beginning. */
export async function recordStream(origin: string, cookie: string): Promise<RecordedStream> {
  const answer: IncomingMessage = await openHttp(`${origin}/api/events?after=0`, { headers: { cookie } });
  const chunks: Buffer[] = [];
  const waiting = new Set<() => void>();
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const look of waiting) look();
  });
  // The host ends the stream when it stops.
  answer.on('error', () => {});
  const all = (): Buffer => Buffer.concat(chunks);
  return {
    seen: () => ({ where: 'event stream', bytes: all() }),
    waitFor: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!all().includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => answer.destroy(),
  };
}

/** What a page holds now: its document with the contents of its fields, and its storage. */
export async function pageText(page: Page, where: string): Promise<SeenText> {
  const text = await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [
      document.title,
      location.href,
      document.documentElement.outerHTML,
      ...fields.map(({ value }) => value),
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      JSON.stringify(history.state),
    ].join('\n');
  });
  return { where: `page ${where}`, bytes: Buffer.from(text) };
}

/** Every file of a folder and of the folders in it, as bytes. */
export function filesOf(folder: string): readonly SeenText[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ where: `file ${path.slice(folder.length + 1)}`, bytes: readFileSync(path) }));
}
