import * as officialExpress from '@modelcontextprotocol/express';
import * as officialFastify from '@modelcontextprotocol/fastify';
import * as officialHono from '@modelcontextprotocol/hono';
import * as officialNode from '@modelcontextprotocol/node';
import * as express from '@portico/server/express';
import * as fastify from '@portico/server/fastify';
import * as hono from '@portico/server/hono';
import * as node from '@portico/server/node';
import { describe, expect, it } from 'vitest';

describe('the names of the official adapters', () => {
  it.each([
    ['node', officialNode, node],
    ['express', officialExpress, express],
    ['hono', officialHono, hono],
    ['fastify', officialFastify, fastify],
  ])('exist in the entry for %s', (_name, official, ours) => {
    const absent = Object.keys(official).filter((name) => !(name in ours));
    expect(absent).toEqual([]);
  });
});
