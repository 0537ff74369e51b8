import type { ToolCall } from '@portico/api';
import { SessionView } from '@portico/react/views';
import type { SessionViewProps } from '@portico/react/views';
import { useMemo } from 'react';
import { useConsole, useHost } from '../state/console-context.tsx';
import { useThemeContext } from './theme-context.ts';
import { createViewHandlers } from './view-handlers.ts';
import type { ViewPlace } from './view-handlers.ts';

/** Height a view may choose, in CSS pixels. */
const HEIGHT = { minPx: 60, maxPx: 720 } as const;

/** The one place where views plug in: session, handlers and look go to the renderer. */
export function ViewFrame({ place, call }: { readonly place: ViewPlace; readonly call: ToolCall }) {
  const services = useConsole();
  const version = useHost((state) => state.version);
  const hostContext = useThemeContext();
  const handlers = useMemo(() => createViewHandlers(services, place), [services, place]);
  const session = useMemo(() => ({ ...place.session, call }), [place, call]);
  return (
    <SessionView
      session={session as SessionViewProps['session']}
      host={handlers}
      hostContext={hostContext}
      hostInfo={{ name: 'Portico', version }}
      height={HEIGHT}
      className="overflow-hidden [&>iframe]:block [&>iframe]:w-full [&>iframe]:border-0"
      onState={(state) =>
        services.viewFacts.change(
          call.id,
          state.status === 'failed'
            ? { status: 'failed', reason: state.reason.reason }
            : { status: state.status, ...(state.status === 'ready' ? { appName: state.appName } : {}) },
        )
      }
    />
  );
}
