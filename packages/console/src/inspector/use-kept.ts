import { useState } from 'react';

/**
 * What was found last, for as long as nothing is known: somebody who fills in a form keeps it while a
 * connection comes back.
 *
 * @param known whether not finding it means that it is gone
 */
export function useKept<Found>(found: Found | undefined, known: boolean): Found | undefined {
  const [kept, setKept] = useState(found);
  if (kept !== found && (found !== undefined || known)) setKept(found);
  return found ?? (known ? undefined : kept);
}
