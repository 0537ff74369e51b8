'use client';
import { sameValue } from '@portico/connections';
import { useState } from 'react';
import type { ViewRendererProps } from './view-renderer.tsx';

/** What makes a view another one; everything else may change while it is open. */
function identityOf({ viewId, source, sandboxUrl, cspMode }: ViewRendererProps, uri: string): unknown {
  return {
    viewId,
    // A tool known by name may be missing from the lists while its server is away.
    shown:
      'document' in source || typeof source.tool !== 'string' ? uri : (source.resourceUri ?? source.tool),
    document: 'document' in source ? source.document : undefined,
    // A function is asked when the view opens; a new closure says nothing new.
    sandboxUrl: typeof sandboxUrl === 'function' ? undefined : sandboxUrl,
    cspMode,
  };
}

/** A text that is another one only when the props mean another view. */
export function useViewIdentity(props: ViewRendererProps, uri: string): string {
  const identity = identityOf(props, uri);
  const [held, setHeld] = useState({ identity, round: 0 });
  const isSame = sameValue(held.identity, identity);
  const round = isSame ? held.round : held.round + 1;
  // Kept as of this render; React draws again at once, before anything is mounted.
  if (!isSame) setHeld({ identity, round });
  return String(round);
}
