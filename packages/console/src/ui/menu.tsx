import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly items: readonly MenuItem[];
  /** The control that opens it. */
  readonly children: ReactNode;
}

/** Leaves the page around it as it is: hidden from screen readers, it would keep controls that take the focus. */
export function Menu({ items, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    // A press inside a frame is seen here only as the focus that it takes.
    const close = (): void => setOpen(false);
    window.addEventListener('blur', close);
    return () => window.removeEventListener('blur', close);
  }, [open]);
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="rise z-50 min-w-44 rounded-xl border border-line bg-raised p-1 text-ink shadow-float"
        >
          {items.map(({ label, icon: Icon, danger = false, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={onSelect}
              className={classNames(
                'control-height flex items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none data-highlighted:bg-hover',
                danger && 'text-danger',
              )}
            >
              <Icon aria-hidden className="size-4 opacity-75" strokeWidth={1.9} />
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
