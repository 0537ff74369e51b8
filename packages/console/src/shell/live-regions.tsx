import { useStore } from 'zustand';
import { useConsole } from '../state/console-context.tsx';

export function LiveRegions() {
  const { announcer } = useConsole();
  const { polite, assertive } = useStore(announcer.store);
  return (
    <div className="sr-only">
      <div aria-live="polite" aria-atomic="false">
        {polite.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <div aria-live="assertive" aria-atomic="false">
        {assertive.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </div>
  );
}
