import { useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useCallableTools, useHost } from '../state/console-context.tsx';
import type { ListedTool } from '../state/console-context.tsx';
import { useListKeys } from '../ui/use-list-keys.ts';
import type { ListKeys } from '../ui/use-list-keys.ts';
import { searchTools } from './tool-search.ts';

export interface ToolLauncher {
  /** Whether the typed text looks for a tool rather than being a message. */
  readonly launching: boolean;
  readonly found: readonly ListedTool[];
  readonly toolCount: number;
  readonly listOpen: boolean;
  readonly keys: ListKeys;
  readonly setOpen: (open: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Looks for tools by what is typed: always without a model, else after a slash. */
export function useToolLauncher(text: string, onChoose: (tool: ListedTool) => void): ToolLauncher {
  const configured = useHost((state) => state.model.configured);
  const tools = useCallableTools();
  const [open, setOpen] = useState(false);
  const launching = !configured || text.startsWith('/');
  const found = useMemo(() => (launching ? searchTools(tools, text) : []), [launching, tools, text]);
  const keys = useListKeys(found.length, (index) => {
    const chosen = found[index];
    if (chosen !== undefined) onChoose(chosen);
  });
  const listOpen = launching && open && found.length > 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpen(false);
    else if (event.key.length === 1 || event.key.startsWith('Arrow')) setOpen(true);
    if (listOpen) keys.onKeyDown(event);
    else if (event.key === 'Enter') event.preventDefault();
  };
  return { launching, found, toolCount: tools.length, listOpen, keys, setOpen, onKeyDown };
}
