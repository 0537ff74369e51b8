import { DEMO_ARTIFACT_SCRIPT } from './artifact-script.ts';
import { DEMO_ARTIFACT_STYLE } from './artifact-style.ts';
import { DEMO_CONNECTOR_NAME } from './connector/index.ts';

/** A published page that comes with the host. */
export interface DemoArtifact {
  readonly title: string;
  /** The whole page, with its manifest inside. */
  readonly html: string;
}

const TITLE = 'Harbour board';

/** What the page may call. The host asks the viewer before the first call. */
const MANIFEST = {
  title: TITLE,
  mcp: { servers: [{ name: DEMO_CONNECTOR_NAME, tools: ['get_weather', 'list_notes'] }] },
};

/** The demo page: the weather of all stations and the notebook, read with the viewer's connector. */
export const DEMO_ARTIFACT: DemoArtifact = {
  title: TITLE,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TITLE}</title>
<script type="application/portico+json">${JSON.stringify(MANIFEST)}</script>
<style>${DEMO_ARTIFACT_STYLE}</style>
</head>
<body>
<main>
  <header>
    <div>
      <h1>${TITLE}</h1>
      <p class="lead">Four made-up stations, read with your own connector. This page never sees a token.</p>
    </div>
    <button id="refresh" type="button">Refresh</button>
  </header>
  <section aria-labelledby="stations-title">
    <h2 id="stations-title">Stations</h2>
    <ul id="stations" class="stations"></ul>
  </section>
  <section aria-labelledby="notes-title">
    <h2 id="notes-title">Notebook</h2>
    <div id="notes" class="notes"></div>
  </section>
  <p id="status" class="status" role="status">Asking the stations…</p>
</main>
<script type="module">${DEMO_ARTIFACT_SCRIPT}</script>
</body>
</html>
`,
};
