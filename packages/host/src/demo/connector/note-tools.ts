import type { Clock } from '@portico/rpc';
import type { McpServer } from '@portico/server';
import { z } from 'zod';
import { MAX_NOTE_CHARS, type Notebook } from './notebook.ts';
import { NOTES_URI } from './resources.ts';

/** Reading and writing the notebook. */
export function registerNoteTools(server: McpServer, notebook: Notebook, clock: Clock): void {
  const note = z.object({ id: z.number().int(), text: z.string(), createdAt: z.string() });
  server.registerTool(
    'list_notes',
    {
      title: 'List notes',
      description: 'Lists the notes in the demo notebook, oldest first.',
      outputSchema: z.object({ notes: z.array(note) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => {
      const notes = notebook.list();
      const text = notes.map(({ id, text: words }) => `${String(id)}. ${words}`).join('\n');
      return { content: [{ type: 'text', text }], structuredContent: { notes } };
    },
  );
  server.registerTool(
    'add_note',
    {
      title: 'Add a note',
      description: 'Writes one note into the demo notebook. The notebook is emptied when the host stops.',
      inputSchema: z.object({
        text: z.string().trim().min(1).max(MAX_NOTE_CHARS).describe('What to write down'),
      }),
      outputSchema: note,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    async ({ text }) => {
      const added = notebook.add(text, clock.now());
      await server.server.sendResourceUpdated({ uri: NOTES_URI });
      return {
        content: [{ type: 'text', text: `Noted as number ${String(added.id)}.` }],
        structuredContent: added,
      };
    },
  );
}
