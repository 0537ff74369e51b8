import type { ToolInfo } from '@portico/api';
import { getToolUi } from '@portico/spec';
import type { Tool } from '@portico/spec';

/** A tool as pages and forms see it. */
export function toolInfo(tool: Tool): ToolInfo {
  const { resourceUri, visibility } = getToolUi(tool);
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: { ...tool.inputSchema },
    ...(tool.outputSchema === undefined ? {} : { outputSchema: { ...tool.outputSchema } }),
    ...(tool.annotations === undefined ? {} : { annotations: { ...tool.annotations } }),
    ...(resourceUri === undefined ? {} : { viewUri: resourceUri }),
    visibility: [...visibility],
  };
}
