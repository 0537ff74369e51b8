/** Date and time in the person's language. */
export function formatDate(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs);
}

/** A short span: `40 ms`, `2.4 s`, `12 s`, `3:05`. */
export function formatDuration(ms: number, language: string): string {
  if (ms < 1000) return inUnit(Math.max(0, Math.round(ms)), 'millisecond', language);
  const seconds = ms / 1000;
  if (seconds < 60)
    return inUnit(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.floor(seconds), 'second', language);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

function inUnit(value: number, unit: 'millisecond' | 'second', language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

export function formatBytes(bytes: number, language: string): string {
  const [unit, size] =
    bytes < 1024
      ? (['byte', 1] as const)
      : bytes < 1_048_576
        ? (['kilobyte', 1024] as const)
        : (['megabyte', 1_048_576] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / size);
}

/** Time of day to the millisecond, as logs are read. */
export function formatTime(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(atMs);
}
