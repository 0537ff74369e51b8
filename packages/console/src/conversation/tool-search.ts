import { matchScore } from '../shell/palette-entries.ts';
import type { ListedTool } from '../state/console-context.tsx';

/** Most tools offered at once. */
const MAX_OFFERED_TOOLS = 50;

/** Tools that match the typed words, the closest first; a leading slash is not part of the search. */
export function searchTools(tools: readonly ListedTool[], text: string): readonly ListedTool[] {
  const query = text
    .replace(/^\s*\//, '')
    .trim()
    .toLowerCase();
  if (query === '') return tools.slice(0, MAX_OFFERED_TOOLS);
  return tools
    .map((listed) => ({ listed, score: scoreOf(listed, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_OFFERED_TOOLS)
    .map(({ listed }) => listed);
}

function scoreOf({ tool, connector }: ListedTool, query: string): number {
  return Math.max(
    matchScore((tool.title ?? tool.name).toLowerCase(), query),
    matchScore(tool.name.toLowerCase(), query),
    matchScore(`${connector.name} ${tool.name}`.toLowerCase(), query) - 100,
  );
}

export function sameTool(a: ListedTool | undefined, b: ListedTool | undefined): boolean {
  return a?.connector.id === b?.connector.id && a?.tool.name === b?.tool.name;
}
