import type { ReactNode } from 'react';

/** A way on inside of text, as small as that. */
export function SmallButton({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded px-1 text-xs text-accent underline-offset-2 hover:underline narrow:min-h-11"
    >
      {children}
    </button>
  );
}
