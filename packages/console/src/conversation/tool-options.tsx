import { AppWindow } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ListedTool } from '../state/console-context.tsx';
import type { ListKeys } from '../ui/use-list-keys.ts';

export interface ToolOptionsProps {
  readonly id: string;
  readonly tools: readonly ListedTool[];
  readonly keys: ListKeys;
  readonly onChoose: (tool: ListedTool) => void;
}

/** The list below a tool search; the input keeps the focus. */
export function ToolOptions({ id, tools, keys, onChoose }: ToolOptionsProps) {
  const { t } = useTranslation();
  return (
    <div
      role="listbox"
      id={id}
      aria-label={t('composer.tools')}
      className="rise max-h-72 overflow-y-auto overscroll-contain rounded-2xl border border-line bg-raised p-1.5 shadow-float"
    >
      {tools.map((listed, index) => (
        <div
          key={`${listed.connector.id} ${listed.tool.name}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === keys.active}
          ref={index === keys.active ? keys.activeRef : undefined}
          onPointerMove={() => keys.setActive(index)}
          // Pressing must not take the focus from the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(listed)}
          onKeyDown={undefined}
          className="control-height flex items-center gap-3 rounded-lg px-3 py-1.5 aria-selected:bg-hover"
        >
          <span className="min-w-0 flex-1">
            <span className="flex items-baseline gap-2">
              <span className="truncate text-sm font-medium">{listed.tool.title ?? listed.tool.name}</span>
              {listed.tool.viewUri === undefined ? null : (
                <AppWindow
                  aria-label={t('connectors.hasView')}
                  className="size-3 shrink-0 self-center text-accent"
                />
              )}
            </span>
            {listed.tool.description === undefined ? null : (
              <span className="block truncate text-xs text-ink-faint">{listed.tool.description}</span>
            )}
          </span>
          <span className="shrink-0 text-xs text-ink-faint">{listed.connector.name}</span>
        </div>
      ))}
    </div>
  );
}
