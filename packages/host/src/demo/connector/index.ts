import type { Clock } from '@portico/rpc';
import { McpServer } from '@portico/server';
import { registerAskingTools } from './asking-tools.ts';
import { registerNoteTools } from './note-tools.ts';
import { createNotebook } from './notebook.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerTryOutTools } from './try-out-tools.ts';
import { registerWeatherTools } from './weather-tools.ts';

/** The name the demo connector goes by; the demo page's manifest names it too. */
export const DEMO_CONNECTOR_NAME = 'Portico demo';

/**
 * A connector that needs nothing and touches nothing: every kind of tool, prompt, resource and view
 * a host has to deal with, over made-up weather and a notebook in memory.
 */
export function createDemoServer({ clock }: { readonly clock: Clock }): McpServer {
  const server = new McpServer(
    { name: 'portico-demo', title: DEMO_CONNECTOR_NAME, version: '1.0.0' },
    {
      clock,
      capabilities: { resources: { subscribe: true, listChanged: true } },
      instructions:
        'A demonstration. The weather is made up, and the notes are gone when the host stops. ' +
        'Use show_weather rather than get_weather when the person wants to look at it.',
    },
  );
  const notebook = createNotebook(clock.now());
  registerWeatherTools(server, clock);
  registerNoteTools(server, notebook, clock);
  registerTryOutTools(server, clock);
  registerAskingTools(server, notebook);
  registerResources(server, notebook, clock);
  registerPrompts(server);
  return server;
}
