import { showHidden } from '../ui/visible-text.ts';

export interface FactsProps {
  /** What each is called and what it is; those that are not known are left out. */
  readonly facts: readonly (readonly [string, string | undefined])[];
}

export function Facts({ facts }: FactsProps) {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  if (known.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {known.map(([label, value = '']) => (
        <div key={label} className="contents">
          <dt className="text-ink-faint">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{showHidden(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
