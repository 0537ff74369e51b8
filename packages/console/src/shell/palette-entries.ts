import type { Artifact, Conversation } from '@portico/api';
import type { Connector } from '@portico/api';
import type { ListedTool } from '../state/console-context.tsx';

export interface PaletteEntry {
  readonly key: string;
  readonly group: 'actions' | 'pages' | 'conversations' | 'tools' | 'connectors' | 'artifacts';
  readonly label: string;
  readonly detail?: string;
  /** Where it leads. */
  readonly href: string;
}

export interface PaletteSources {
  readonly conversations: readonly Conversation[];
  readonly connectors: readonly Connector[];
  readonly artifacts: readonly Artifact[];
  readonly tools: readonly ListedTool[];
}

export function collectEntries(sources: PaletteSources): readonly PaletteEntry[] {
  const path = encodeURIComponent;
  return [
    ...sources.conversations.map(({ id, title }): PaletteEntry => ({
      key: `c:${id}`,
      group: 'conversations',
      label: title,
      href: `/c/${path(id)}`,
    })),
    ...sources.tools.map(({ connector, tool }): PaletteEntry => ({
      key: `t:${connector.id}:${tool.name}`,
      group: 'tools',
      label: tool.title ?? tool.name,
      detail: connector.name,
      href: `/connectors/${path(connector.id)}/tools/${path(tool.name)}`,
    })),
    ...sources.connectors.map(({ id, name }): PaletteEntry => ({
      key: `k:${id}`,
      group: 'connectors',
      label: name,
      href: `/connectors/${path(id)}`,
    })),
    ...sources.artifacts.map(({ id, title }): PaletteEntry => ({
      key: `a:${id}`,
      group: 'artifacts',
      label: title,
      href: `/artifacts/${path(id)}`,
    })),
  ];
}

/** Most entries that are shown at once. */
const MAX_SHOWN_ENTRIES = 60;

/** Entries that contain the letters of the query in order; the closest come first. */
export function searchEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return entries.slice(0, MAX_SHOWN_ENTRIES);
  return entries
    .map((entry) => ({
      entry,
      score: matchScore(`${entry.label} ${entry.detail ?? ''}`.toLowerCase(), wanted),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SHOWN_ENTRIES)
    .map(({ entry }) => entry);
}

/** 0 when the letters are not there in this order; whole words and word beginnings count most. */
export function matchScore(text: string, query: string): number {
  const at = text.indexOf(query);
  if (at === 0) return 1_000;
  if (at > 0) return isWordStart(text, at) ? 800 : 500 - Math.min(at, 200);
  let score = 100;
  let from = 0;
  for (const letter of query) {
    if (letter === ' ') continue;
    const next = text.indexOf(letter, from);
    if (next === -1) return 0;
    score += isWordStart(text, next) ? 6 : -Math.min(next - from, 8);
    from = next + 1;
  }
  // Letters strewn over a long text are no match.
  return score < 90 ? 0 : score;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || /[\s_\-./:]/.test(text[at - 1] ?? '');
