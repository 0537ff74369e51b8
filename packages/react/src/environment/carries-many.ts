'use client';
const MANY = /^(h2|h3)/;

/** Whether the page has got anything from an origin by HTTP/2 or later; others do not say how they answered. */
export function carriesMany(origin: string): boolean {
  if (typeof performance === 'undefined') return false;
  return performance
    .getEntriesByType('resource')
    .some(
      (entry) =>
        entry.name.startsWith(`${origin}/`) &&
        MANY.test((entry as PerformanceResourceTiming).nextHopProtocol),
    );
}
