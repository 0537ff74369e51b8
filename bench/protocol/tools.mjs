// The tools of the measured servers. Schemas are made once, as a program's module would, or in place.
import { z } from 'zod';

const ECHO = { description: 'Says it back', inputSchema: z.object({ text: z.string() }) };
const other = (index) => ({
  description: `Tool ${index}`,
  inputSchema: z.object({
    path: z.string(),
    limit: z.number().int().optional(),
    flags: z.array(z.enum(['a', 'b', 'c'])).optional(),
  }),
});
const OTHERS = Array.from({ length: 200 }, (_, index) => other(index));

export const INFO = { name: 'bench', version: '1.0.0' };
export const ARGUMENTS = { text: 'hello' };

/**
 * Registers `echo` and others on a server of either make.
 * @param inline whether their schemas are written where they are registered
 */
export function register(server, tools, inline = false) {
  server.registerTool('echo', ECHO, ({ text }) => ({ content: [{ type: 'text', text }] }));
  for (let index = 1; index < tools; index++) {
    const config = inline ? other(index) : OTHERS[index];
    server.registerTool(`tool-${index}`, config, () => ({ content: [] }));
  }
  return server;
}
