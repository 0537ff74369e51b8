import type { Connector } from '@portico/api';

/** A connector's name, and after it the label of the account where it has one. */
export function accountName({ name, label }: Pick<Connector, 'name' | 'label'>): string {
  return label === '' ? name : `${name} · ${label}`;
}
