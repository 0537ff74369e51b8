// @ts-check
import { ResourceTemplate, completable } from '@portico/server';
import { z } from 'zod';
import { PIXEL_PNG } from './samples.mjs';

/** @param {import('@portico/server').McpServer} mcp */
export function registerResources(mcp) {
  mcp.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Text that never changes.' }],
  }));
  mcp.registerResource('pixel', 'test://static-binary', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL_PNG }],
  }));
  mcp.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Text that can be watched.' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  mcp.registerResource('data', template, { mimeType: 'application/json' }, (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));
}

/**
 * @typedef {import('@portico/spec').ContentBlock} ContentBlock
 *
 * @param {...ContentBlock} blocks
 */
const asked = (...blocks) => ({
  messages: blocks.map((content) => ({ role: /** @type {const} */ ('user'), content })),
});

/** @param {import('@portico/server').McpServer} mcp */
export function registerPrompts(mcp) {
  mcp.registerPrompt('test_simple_prompt', { description: 'Has no arguments' }, () =>
    asked({ type: 'text', text: 'Say something.' }),
  );
  const words = ['test', 'testing', 'tested'];
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Has two arguments',
      argsSchema: z.object({
        arg1: completable(z.string(), (typed) => words.filter((word) => word.startsWith(typed))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => asked({ type: 'text', text: `Talk about ${arg1} and ${arg2}.` }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Brings a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      asked(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Its text.' } },
        { type: 'text', text: 'Read this.' },
      ),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'Brings an image' }, () =>
    asked(
      { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' },
      { type: 'text', text: 'What is on it?' },
    ),
  );
}
