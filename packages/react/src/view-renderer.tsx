'use client';
import { openView } from '@portico/views/dom';
import type { OpenedView, ViewSettings } from '@portico/views/dom';
import { useLayoutEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { createClientTools } from './client-tools.ts';
import { useLatest } from './use-latest.ts';
import { useMounted } from './use-mounted.ts';
import { useViewIdentity } from './use-view-identity.ts';
import { viewOriginOf } from './view-source.ts';
import type { ViewSource } from './view-source.ts';

export interface ViewRendererProps extends Omit<ViewSettings, 'source' | 'hostInfo'> {
  /**
   * A live server, or a connected client, with the tool or resource to show; or a document that is
   * there already. A live one may be replaced, by a reconnect for one, while the view is open.
   */
  readonly source: ViewSource;
  /** Another value ends the view and opens a new one, for another call of the same tool. */
  readonly viewId?: string;
  /** What views are told of the program around them. Default `Portico`. */
  readonly hostInfo?: ViewSettings['hostInfo'];
  readonly className?: string;
  /** Value of `data-testid`. */
  readonly testId?: string;
}

const HOST_INFO = { name: 'Portico', version: '0.1.0' } as const;

/**
 * Shows one view of a server in a sandbox that cannot touch the page: on the origin of `sandboxUrl`,
 * or on none. Renders with equal props change nothing; another `viewId`, address or document opens
 * another view. Without `sandboxUrl` a view runs only where the page's own policy lets inline scripts
 * run, since a frame without an address inherits that policy; under a stricter one `onError` gets
 * `sandbox_blocked`.
 */
export function ViewRenderer(props: ViewRendererProps): ReactElement {
  const { source: _source, viewId: _viewId, className, testId, ...rest } = props;
  const [clientTools] = useState(createClientTools);
  const source = viewOriginOf(props.source, clientTools);
  const settings: ViewSettings = { ...rest, source, hostInfo: props.hostInfo ?? HOST_INFO };
  const latest = useLatest(settings);
  const identity = useViewIdentity(props, source.uri);
  const { container, mounted } = useMounted(identity, (place): OpenedView =>
    openView(place, { settings: latest.current }),
  );
  useLayoutEffect(() => mounted.current?.update(settings));
  return <div ref={container} className={className} data-testid={testId} />;
}
