// The tools of the measured servers; schemas are made once, as a program's module would.
import { z } from 'zod';

const ECHO = { description: 'Says it back', inputSchema: z.object({ text: z.string() }) };
const OTHERS = Array.from({ length: 200 }, (_, index) => ({
  description: `Tool ${index}`,
  inputSchema: z.object({
    path: z.string(),
    limit: z.number().int().optional(),
    flags: z.array(z.enum(['a', 'b', 'c'])).optional(),
  }),
}));

export const INFO = { name: 'bench', version: '1.0.0' };
export const ARGUMENTS = { text: 'hello' };

/** Registers `echo` and others on a server of either make. */
export function register(server, tools) {
  server.registerTool('echo', ECHO, ({ text }) => ({ content: [{ type: 'text', text }] }));
  for (let index = 1; index < tools; index++) {
    server.registerTool(`tool-${index}`, OTHERS[index], () => ({ content: [] }));
  }
  return server;
}
