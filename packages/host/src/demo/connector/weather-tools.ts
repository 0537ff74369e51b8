import type { Clock } from '@portico/rpc';
import type { McpServer } from '@portico/server';
import type { CallToolResult } from '@portico/spec';
import { z } from 'zod';
import { WEATHER_VIEW_URI } from './view/weather-view.ts';
import { CONDITIONS, STATIONS, weatherAt, type StationName, type WeatherReport } from './weather.ts';

/** Schemas are made once a server, so that nothing happens when this file is loaded. */
function schemas(): { input: z.ZodType<{ station: StationName }>; output: z.ZodType } {
  return {
    input: z.object({
      station: z
        .enum(STATIONS)
        .default('Larkhaven')
        .describe('Which station to ask. All of them are made up.'),
    }),
    output: z.object({
      station: z.enum(STATIONS),
      observedAt: z.string().describe('ISO 8601'),
      temperatureC: z.number(),
      windKmh: z.number(),
      humidityPercent: z.number(),
      condition: z.enum(CONDITIONS),
      summary: z.string(),
      nextHours: z.array(
        z.object({
          hour: z.number().int().describe('Hour of the day, UTC'),
          temperatureC: z.number(),
          condition: z.enum(CONDITIONS),
          chanceOfRainPercent: z.number(),
        }),
      ),
    }),
  };
}

/** Reading the weather: as data, and as data with a view. */
export function registerWeatherTools(server: McpServer, clock: Clock): void {
  const { input, output } = schemas();
  const report = ({ station }: { station: StationName }): CallToolResult =>
    reported(weatherAt(station, clock.now()));
  server.registerTool(
    'get_weather',
    {
      title: 'Get the weather',
      description: 'Reads the current weather and the next six hours at one of four made-up stations.',
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    report,
  );
  server.registerTool(
    'show_weather',
    {
      title: 'Show the weather',
      description: 'Shows the weather of a station as a small interactive card.',
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: { ui: { resourceUri: WEATHER_VIEW_URI } },
    },
    report,
  );
}

function reported(report: WeatherReport): CallToolResult {
  const { station, temperatureC, windKmh, summary } = report;
  const text = `${station}: ${String(temperatureC)} °C, wind ${String(windKmh)} km/h. ${summary}`;
  return { content: [{ type: 'text', text }], structuredContent: report };
}
