import { CopyButton } from '../ui/copy-button.tsx';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';

export interface DescribedProps {
  /** Its name in the protocol. */
  readonly code: string;
  readonly copyLabel: string;
  readonly description: string | undefined;
}

/** What something is called in the protocol, to copy, and what its server says of it. */
export function Described({ code, copyLabel, description }: DescribedProps) {
  return (
    <div>
      <div className="flex items-center gap-1">
        <code className="min-w-0 text-xs text-ink-soft [overflow-wrap:anywhere]">{showHidden(code)}</code>
        <CopyButton text={code} label={copyLabel} />
      </div>
      {description === undefined ? null : (
        <p dir="auto" className="mt-1 text-sm whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
          {showHiddenInLines(description)}
        </p>
      )}
    </div>
  );
}
