import { acceptedContent, inputRequired, inputResponse, type McpServer } from '@portico/server';
import type { CallToolResult, InputRequiredResult } from '@portico/spec';
import { z } from 'zod';
import type { Notebook } from './notebook.ts';
import { STATIONS } from './weather.ts';

/** Tools that need something back: an answer from the person, or one from the client's model. */
export function registerAskingTools(server: McpServer, notebook: Notebook): void {
  registerTrip(server);
  registerSummary(server, notebook);
}

function registerTrip(server: McpServer): void {
  const form = z.object({
    destination: z.enum(STATIONS).describe('Where to'),
    travellers: z.number().int().min(1).max(12).describe('How many people'),
    returnTrip: z.boolean().default(false).describe('And back again'),
  });
  server.registerTool(
    'plan_trip',
    {
      title: 'Plan a trip',
      description: 'Asks where to go by a short form, then writes the plan. Nothing is booked.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ mcpReq, client }): CallToolResult | InputRequiredResult => {
      if (client.capabilities.elicitation === undefined) {
        return said('This tool asks by a form, and the client shows no forms. Nothing was planned.');
      }
      const answer = inputResponse(mcpReq.inputResponses, 'trip');
      if (answer.kind === 'elicit' && answer.action !== 'accept') {
        return said(answer.action === 'decline' ? 'Fine, no trip then.' : 'The form was closed. No trip.');
      }
      const trip = acceptedContent(mcpReq.inputResponses, 'trip', form);
      if (trip === undefined) {
        const message = 'Where shall the ferry take you?';
        return inputRequired({
          inputRequests: { trip: inputRequired.elicit({ message, requestedSchema: form }) },
        });
      }
      const { destination, travellers, returnTrip } = trip;
      const people = travellers === 1 ? 'One traveller' : `${String(travellers)} travellers`;
      return said(`${people} to ${destination}${returnTrip ? ' and back' : ''}. The ferry leaves at seven.`);
    },
  );
}

function registerSummary(server: McpServer, notebook: Notebook): void {
  server.registerTool(
    'summarize_notes',
    {
      title: 'Summarize the notes',
      description: "Asks the client's model for one sentence about the notes.",
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ mcpReq, client }): CallToolResult | InputRequiredResult => {
      const count = notebook.list().length;
      if (client.capabilities.sampling === undefined) {
        return said(
          `This tool asks the client's model, and the client lends none. There are ${String(count)} notes.`,
        );
      }
      const answer = inputResponse(mcpReq.inputResponses, 'summary');
      if (answer.kind === 'sampling') return said(textOf(answer.result.content));
      const notes = notebook.list().map((note) => `- ${note.text}`);
      return inputRequired({
        inputRequests: {
          summary: inputRequired.createMessage({
            systemPrompt: 'Answer with a single plain sentence.',
            messages: [
              {
                role: 'user',
                content: { type: 'text', text: `Summarize these notes:\n${notes.join('\n')}` },
              },
            ],
            maxTokens: 200,
          }),
        },
      });
    },
  );
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) =>
    typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
      ? [block.text]
      : [],
  );
  return texts.join('\n') || 'The model had nothing to say.';
}
