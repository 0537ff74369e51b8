'use client';
import { mountView } from '@portico/views/dom';
import type { MountViewOptions, MountedView } from '@portico/views/dom';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { forwardHandlers } from './forward-handlers.ts';
import { useLatest } from './use-latest.ts';
import { useMounted } from './use-mounted.ts';

export interface SessionViewProps extends MountViewOptions {
  readonly className?: string;
  /** Told the mounted view, to call its tools or to move it. */
  readonly onMount?: (view: MountedView) => void;
}

/**
 * Shows one view that the host's API has opened. It is mounted once for each `session.viewId`; later
 * renders only pass on how the call goes on and what has changed of the host context. Handlers may
 * change with every render, but which of them exist counts from the first.
 */
export function SessionView(props: SessionViewProps): ReactElement {
  const { session, hostContext, className } = props;
  const host = useLatest(props.host);
  const onState = useLatest({ onState: props.onState });
  const { container, mounted } = useMounted(session.viewId, (place): MountedView => {
    const view = mountView(place, {
      ...props,
      host: forwardHandlers(host),
      onState: (state) => onState.current.onState?.(state),
    });
    props.onMount?.(view);
    return view;
  });
  useEffect(() => mounted.current?.setCall(session.call), [mounted, session.call]);
  useEffect(() => mounted.current?.updateHostContext(hostContext), [mounted, hostContext]);
  return <div ref={container} className={className} />;
}
