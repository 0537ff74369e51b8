import { newToken } from '../random-ids.ts';

/** Documents that are open at the same time; beyond it the oldest is dropped. */
export const MAX_DOCUMENTS = 200;

interface SandboxAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one token serves, by the part of the address behind it (`''` or `app`). */
export interface SandboxDocument {
  readonly kind: 'view' | 'frame';
  /** Host label; under any other the token means nothing. */
  readonly label: string;
  readonly parts: Readonly<Record<string, (token: string) => SandboxAnswer>>;
}

/** Documents of the sandbox hosts, each behind a token of its own that cannot be guessed. */
export interface SandboxDocuments {
  /** Answers the token. */
  add(document: SandboxDocument): string;
  find(token: string): SandboxDocument | undefined;
  remove(token: string): void;
}

export function createSandboxDocuments(maxDocuments: number = MAX_DOCUMENTS): SandboxDocuments {
  const documents = new Map<string, SandboxDocument>();
  return {
    add(document) {
      const token = newToken();
      documents.set(token, document);
      for (const oldest of documents.keys()) {
        if (documents.size <= maxDocuments) break;
        documents.delete(oldest);
      }
      return token;
    },
    find: (token) => documents.get(token),
    remove: (token) => void documents.delete(token),
  };
}
