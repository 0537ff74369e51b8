// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { PIXEL_PNG, SILENCE_WAV, said } from './samples.mjs';

/** Time between two messages of a tool that sends several. */
const STEP_MS = 20;

/**
 * Tools that answer by themselves: one for each kind of content, one that fails, one that logs, one
 * that reports progress.
 * @param {import('@portico/server').McpServer} mcp
 */
export function registerPlainTools(mcp) {
  registerContentTools(mcp);
  registerReportingTools(mcp);
  registerSchemaTools(mcp);
}

/** @param {import('@portico/server').McpServer} mcp */
function registerContentTools(mcp) {
  mcp.registerTool('test_simple_text', { description: 'Answers with text' }, () => said('Plain text.'));
  mcp.registerTool('test_image_content', { description: 'Answers with an image' }, () => ({
    content: [{ type: 'image', data: PIXEL_PNG, mimeType: 'image/png' }],
  }));
  mcp.registerTool('test_audio_content', { description: 'Answers with sound' }, () => ({
    content: [{ type: 'audio', data: SILENCE_WAV, mimeType: 'audio/wav' }],
  }));
  mcp.registerTool('test_embedded_resource', { description: 'Answers with a resource' }, () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'Text of a resource.' },
      },
    ],
  }));
  mcp.registerTool('test_multiple_content_types', { description: 'Answers with three kinds' }, () => ({
    content: [
      { type: 'text', text: 'An image and a resource:' },
      { type: 'image', data: PIXEL_PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'test://mixed', mimeType: 'application/json', text: '{"kinds":3}' },
      },
    ],
  }));
  mcp.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new TypeError('This tool fails whenever it is called');
  });
}

/** @param {import('@portico/server').McpServer} mcp */
function registerReportingTools(mcp) {
  mcp.registerTool('test_tool_with_logging', { description: 'Logs while it runs' }, async ({ mcpReq }) => {
    for (const data of ['begins', 'goes on', 'ends']) {
      await mcpReq.log('info', data, 'conformance');
      await sleep(STEP_MS);
    }
    return said('Logged three times.');
  });
  mcp.registerTool('test_logging_tool', { description: 'Logs if it is asked to' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Heard only by those who asked for this level');
    return said('Done.');
  });
  mcp.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async ({ mcpReq }) => {
    for (const progress of [0, 50, 100]) {
      mcpReq.progress({ progress, total: 100, message: `${progress} of 100` });
      await sleep(STEP_MS);
    }
    return said('All steps done.');
  });
  mcp.registerTool('test_reconnection', { description: 'Loses its stream' }, async ({ http }) => {
    http?.closeSSE?.();
    await sleep(5 * STEP_MS);
    return said('Sent after the stream was closed.');
  });
  // The suite looks for requests of the server's own on this call's stream; there must be none.
  mcp.registerTool('test_streaming_elicitation', { description: 'Only answers' }, () => said('Answered.'));
}

/** @param {import('@portico/server').McpServer} mcp */
function registerSchemaTools(mcp) {
  mcp.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of many keywords', inputSchema: MANY_KEYWORDS },
    (args) => said(JSON.stringify(args)),
  );
  mcp.registerTool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that is repeated in a header',
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          level: { type: 'integer' },
        },
      },
    },
    ({ region }) => said(`Region: ${String(region)}`),
  );
  mcp.registerTool(
    'greet',
    { description: 'Says hello', inputSchema: z.object({ name: z.string() }) },
    ({ name }) => said(`Hello, ${name}!`),
  );
}

/** Every keyword here must reach clients as it stands. */
const MANY_KEYWORDS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
