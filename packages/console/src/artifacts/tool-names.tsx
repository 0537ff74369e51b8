import { showHidden } from '../ui/visible-text.ts';

/** Names of tools that a page may call, as they are matched. */
export function ToolNames({ tools }: { readonly tools: readonly string[] }) {
  return (
    <ul className="mt-1.5 flex flex-wrap gap-1.5">
      {tools.map((tool) => (
        <li key={tool}>
          <code className="rounded-md bg-sunken px-1.5 py-0.5 text-xs [overflow-wrap:anywhere]">
            {showHidden(tool)}
          </code>
        </li>
      ))}
    </ul>
  );
}
