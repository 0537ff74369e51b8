// What browser tests load into the trusted page around React components, as `portico`.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ArtifactFrame } from '../packages/react/src/artifact.ts';
import type { ArtifactFrameProps } from '../packages/react/src/artifact.ts';
import { SessionView } from '../packages/react/src/views.ts';
import type { SessionViewProps } from '../packages/react/src/views.ts';

export interface Rendered {
  render(props: object | null): void;
}

function renderInto(component: (props: object) => React.ReactElement): Rendered {
  const place = document.createElement('main');
  document.body.append(place);
  const root = createRoot(place);
  const Component = component;
  return {
    render: (props) =>
      root.render(<StrictMode>{props === null ? null : <Component {...props} />}</StrictMode>),
  };
}

export function renderView(): Rendered {
  return renderInto((props) => <SessionView {...(props as SessionViewProps)} />);
}

export function renderFrame(): Rendered {
  return renderInto((props) => <ArtifactFrame {...(props as ArtifactFrameProps)} />);
}
