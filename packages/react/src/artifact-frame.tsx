'use client';
import { mountFrame } from '@portico/frames/dom';
import type { MountFrameOptions, MountedFrame } from '@portico/frames/dom';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { forwardHandlers } from './forward-handlers.ts';
import { useLatest } from './use-latest.ts';
import { useMounted } from './use-mounted.ts';

export interface ArtifactFrameProps extends MountFrameOptions {
  readonly className?: string;
}

/**
 * Shows one artifact. It is mounted once for each `session.frameId`; later renders pass on changed
 * grants. Gateway, dialog and state handler may change with every render.
 */
export function ArtifactFrame(props: ArtifactFrameProps): ReactElement {
  const { session, className } = props;
  const { grants } = session.artifact;
  const gateway = useLatest(props.gateway);
  const latest = useLatest({ ask: props.ask, onState: props.onState, onFault: props.onFault });
  const { container, mounted } = useMounted(session.frameId, (place): MountedFrame =>
    mountFrame(place, {
      ...props,
      gateway: forwardHandlers(gateway),
      ask: (servers) => latest.current.ask(servers),
      onState: (state) => latest.current.onState?.(state),
      onFault: (error) => latest.current.onFault?.(error),
    }),
  );
  useEffect(() => {
    for (const { server, state } of grants) mounted.current?.setGrant(server, state);
  }, [mounted, grants]);
  return <div ref={container} className={className} />;
}
