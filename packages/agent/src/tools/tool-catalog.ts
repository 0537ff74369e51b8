import { messageOf } from '../errors.ts';
import type { ModelTool } from '../provider/model-provider.ts';
import { modelToolName, toolPlace } from './tool-names.ts';
import { adaptSchema } from './tool-schema.ts';
import type { AgentTool, ToolSource } from './tool-source.ts';

/** Most tools in one request. */
const MAX_TOOLS = 2000;
/** Longest description of one tool, in characters. */
const MAX_DESCRIPTION = 16_384;

/** A tool with what the model calls it and where calls go. */
export interface OfferedTool {
  /** What the model calls it. */
  readonly name: string;
  /** Its own full name, `mcp__<server>__<tool>`. */
  readonly ownName: string;
  /** The server's and tool's own names; nothing for names of another form. */
  readonly server?: string;
  readonly tool?: string;
  readonly readOnly: boolean;
  readonly source: ToolSource;
  readonly definition: ModelTool;
}

export interface ToolCatalog {
  readonly tools: readonly OfferedTool[];
  find(name: string): OfferedTool | undefined;
}

function offer(source: ToolSource, tool: AgentTool): OfferedTool | string {
  const adapted = adaptSchema(tool.inputSchema);
  if (!adapted.ok) return adapted.reason;
  const name = modelToolName(tool.name);
  const description = (tool.description ?? tool.title ?? '').slice(0, MAX_DESCRIPTION);
  return {
    name,
    ownName: tool.name,
    ...toolPlace(tool.name, tool.server),
    readOnly: tool.annotations?.readOnlyHint === true,
    source,
    definition: { name, description, input_schema: adapted.schema },
  };
}

function listOf(source: ToolSource, warn: (text: string) => void): readonly AgentTool[] {
  try {
    return source.list();
  } catch (thrown) {
    warn(`A source of tools could not be read: ${messageOf(thrown)}`);
    return [];
  }
}

/**
 * Everything that can be offered at this moment. A tool that cannot be is left out with a warning
 * and costs the others nothing.
 * @param accepts whether a tool may be offered at all
 */
export function readCatalog(
  sources: readonly ToolSource[],
  accepts: (tool: OfferedTool) => boolean,
  warn: (text: string) => void,
): ToolCatalog {
  const byName = new Map<string, OfferedTool>();
  for (const source of sources) {
    for (const tool of listOf(source, warn)) {
      const offered = offer(source, tool);
      if (typeof offered === 'string') warn(`The tool ${tool.name} is left out: ${offered}.`);
      else if (byName.has(offered.name)) warn(`The tool ${tool.name} is left out: its name is taken.`);
      else if (byName.size >= MAX_TOOLS)
        warn(`The tool ${tool.name} is left out: there are more than ${MAX_TOOLS}.`);
      else if (accepts(offered)) byName.set(offered.name, offered);
    }
  }
  return { tools: [...byName.values()], find: (name) => byName.get(name) };
}
