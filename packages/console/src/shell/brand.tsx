/** The mark: a pediment on three columns. */
export function BrandMark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={className} fill="currentColor">
      <path d="M12 2.5 2.75 8v2.25h18.5V8z" />
      <path d="M4.5 12h3v7h-3zm6 0h3v7h-3zm6 0h3v7h-3z" opacity=".82" />
      <path d="M2.75 20.25h18.5v1.75H2.75z" />
    </svg>
  );
}
