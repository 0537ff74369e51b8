import { WEATHER_VIEW_SCRIPT } from './weather-view-script.ts';
import { WEATHER_VIEW_STYLE } from './weather-view-style.ts';

/** The view's resource. */
export const WEATHER_VIEW_URI = 'ui://portico-demo/weather.html';

/** The document of the weather card. It loads nothing from anywhere. */
export function weatherViewHtml(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Weather card</title>
<style>${WEATHER_VIEW_STYLE}</style>
</head>
<body>
<main class="card" data-condition="cloudy" aria-live="polite">
  <header>
    <div>
      <h1 id="station">Weather</h1>
      <p id="summary">Waiting for the station…</p>
    </div>
    <div id="sky" class="sky" aria-hidden="true"></div>
  </header>
  <p class="reading"><span id="temperature">–</span><span id="unit" class="unit">°C</span></p>
  <dl class="facts">
    <div><dt>Wind</dt><dd id="wind">–</dd></div>
    <div><dt>Humidity</dt><dd id="humidity">–</dd></div>
    <div><dt>Observed</dt><dd id="observed">–</dd></div>
  </dl>
  <h2>Next hours, and the chance of rain</h2>
  <ol id="hours" class="hours"></ol>
  <footer>
    <button id="refresh" type="button">Read again</button>
    <span id="status" role="status"></span>
  </footer>
</main>
<script type="module">${WEATHER_VIEW_SCRIPT}</script>
</body>
</html>
`;
}
