import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
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

export function Menu({ items, children }: MenuProps) {
  return (
    <DropdownMenu.Root>
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
