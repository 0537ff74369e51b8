import type { ConnectorTransport } from '@portico/api';
import { showHidden } from '../ui/visible-text.ts';

/** How a connector is reached, in one line for people; never used to run anything. */
export function transportLine(transport: ConnectorTransport): string {
  switch (transport.kind) {
    case 'stdio':
      return showHidden([transport.command, ...transport.args.map(quoted)].join(' '));
    case 'http':
      return showHidden(transport.url);
    case 'builtin':
      return '';
  }
}

const quoted = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument);
