import { encodeParamHeaders, findParamHeaders } from '@portico/spec';
import type { ParamHeaders, Tool } from '@portico/spec';
import type { DroppedListItem, WholeList } from './list-walk.ts';

/** Which arguments of the known tools are repeated in headers. */
export class ParamHeaderTable {
  #byTool: ReadonlyMap<string, ParamHeaders> = new Map();

  /**
   * Takes over a whole list. Tools whose marks break the rules may not be offered over HTTP and move to
   * the dropped ones.
   */
  learn(list: WholeList<'tools/list'>): WholeList<'tools/list'> {
    const byTool = new Map<string, ParamHeaders>();
    const dropped: DroppedListItem[] = [...list.dropped];
    const items: Tool[] = [];
    for (const tool of list.items) {
      const headers = findParamHeaders(tool.inputSchema);
      if (headers.ok) {
        items.push(tool);
        if (headers.headers.length > 0) byTool.set(tool.name, headers);
      } else {
        dropped.push({ name: tool.name, reason: headers.reason });
      }
    }
    this.#byTool = byTool;
    return { items, dropped };
  }

  forget(): void {
    this.#byTool = new Map();
  }

  /** The headers of one call; undefined when there are none or the tool is not known. */
  headersFor(name: string, args: unknown): Readonly<Record<string, string>> | undefined {
    const headers = this.#byTool.get(name);
    return headers?.ok === true ? encodeParamHeaders(headers.headers, args) : undefined;
  }
}
