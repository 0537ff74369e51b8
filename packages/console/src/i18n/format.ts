/** Date and time in the person's language. */
export function formatDate(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs);
}

export function formatTime(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(atMs);
}

/** A short span: `0.4 s`, `12 s`, `3:05`. */
export function formatDuration(ms: number, language: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) {
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: 1 }).format(seconds);
  }
  if (seconds < 60) {
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: 0 }).format(seconds);
  }
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

export function formatBytes(bytes: number, language: string): string {
  const [unit, size] = bytes < 1024 ? (['byte', 1] as const) : bytes < 1_048_576 ? (['kilobyte', 1024] as const) : (['megabyte', 1_048_576] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(bytes / size);
}
