import { type Clock, ErrorCode, ProtocolError } from '@portico/rpc';
import { ResourceTemplate, type McpServer } from '@portico/server';
import type { ReadResourceResult } from '@portico/spec';
import type { Notebook } from './notebook.ts';
import { WEATHER_VIEW_URI, weatherViewHtml } from './view/weather-view.ts';
import { STATIONS, isStation, weatherAt } from './weather.ts';

/** All stations with their weather. */
const STATIONS_URI = 'portico-demo://stations';

/** The notebook as text. */
export const NOTES_URI = 'portico-demo://notes';

/** The mime type that makes a resource a view. */
const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

export function registerResources(server: McpServer, notebook: Notebook, clock: Clock): void {
  server.registerResource(
    'stations',
    STATIONS_URI,
    {
      title: 'Weather stations',
      description: 'The four stations and what they report right now.',
      mimeType: 'application/json',
    },
    () =>
      json(
        STATIONS_URI,
        STATIONS.map((station) => weatherAt(station, clock.now())),
      ),
  );
  server.registerResource(
    'notes',
    NOTES_URI,
    {
      title: 'Notebook',
      description: 'The notes of the demo, one a line.',
      mimeType: 'text/markdown',
    },
    () => {
      const text = notebook
        .list()
        .map((note) => `- ${note.text}`)
        .join('\n');
      return { contents: [{ uri: NOTES_URI, mimeType: 'text/markdown', text }] };
    },
  );
  registerStationTemplate(server, clock);
  server.registerResource(
    'weather-view',
    WEATHER_VIEW_URI,
    {
      title: 'Weather card',
      description: 'The view that shows the weather of a station.',
      mimeType: VIEW_MIME_TYPE,
      _meta: { ui: { prefersBorder: true } },
    },
    () => ({
      contents: [
        {
          uri: WEATHER_VIEW_URI,
          mimeType: VIEW_MIME_TYPE,
          text: weatherViewHtml(),
          _meta: { ui: { prefersBorder: true } },
        },
      ],
    }),
  );
}

function registerStationTemplate(server: McpServer, clock: Clock): void {
  const uriOf = (station: string): string => `${STATIONS_URI}/${encodeURIComponent(station)}`;
  const template = new ResourceTemplate(`${STATIONS_URI}/{station}`, {
    list: () => ({
      resources: STATIONS.map((station) => ({ name: station, uri: uriOf(station), title: station })),
    }),
    complete: {
      station: (typed) => STATIONS.filter((station) => station.toLowerCase().startsWith(typed.toLowerCase())),
    },
  });
  server.registerResource(
    'station',
    template,
    {
      title: 'One weather station',
      description: 'What one station reports right now.',
      mimeType: 'application/json',
    },
    (uri, { station }): ReadResourceResult => {
      if (isStation(station)) return json(uri.href, weatherAt(station, clock.now()));
      const data = { uri: uri.href };
      throw new ProtocolError(ErrorCode.InvalidParams, `Resource not found: ${uri.href}`, data);
    },
  );
}

function json(uri: string, value: unknown): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value, null, 2) }],
  };
}
