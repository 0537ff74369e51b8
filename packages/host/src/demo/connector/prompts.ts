import { completable, type McpServer } from '@portico/server';
import { z } from 'zod';
import { STATIONS } from './weather.ts';

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'weather_report',
    {
      title: 'Weather report',
      description: 'Has the model read out the weather of a station in the manner of your choice.',
      argsSchema: z.object({
        station: completable(z.enum(STATIONS).describe('Which station'), (typed) =>
          STATIONS.filter((station) => station.toLowerCase().startsWith(typed.toLowerCase())),
        ),
        manner: z.string().max(80).optional().describe('For example: an old sea captain'),
      }),
    },
    ({ station, manner }) => ({
      description: `The weather in ${station}`,
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Look up the weather in ${station} and report it${
              manner === undefined ? '' : ` in the manner of ${manner}`
            } in at most three sentences.`,
          },
        },
      ],
    }),
  );
  server.registerPrompt(
    'tidy_notes',
    {
      title: 'Tidy the notes',
      description: 'Has the model read the notebook and propose what to do next.',
    },
    () => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: 'Read my notes, group them by topic, and propose the next step for each group.',
          },
        },
      ],
    }),
  );
}
