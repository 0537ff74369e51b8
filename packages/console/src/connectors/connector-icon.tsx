import type { ConnectorTransport } from '@portico/api';
import { Globe, Package, SquareTerminal } from 'lucide-react';

const ICONS = { stdio: SquareTerminal, http: Globe, builtin: Package } as const;

export function ConnectorIcon({ transport }: { readonly transport: ConnectorTransport }) {
  const Icon = ICONS[transport.kind];
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-[0.625rem] bg-sunken text-ink-soft">
      <Icon aria-hidden className="size-4.5" strokeWidth={1.7} />
    </span>
  );
}
