import { describe, expectTypeOf, it } from 'vitest';
import type { createSdkMcpServer } from '@portico/agent';
import { query, tool } from '@portico/agent';
import type {
  CanUseTool,
  HookCallback,
  McpServerConfig,
  Options,
  PermissionMode,
  PermissionResult,
  Query,
  SDKMessage,
  SDKResultMessage,
} from '@portico/agent';
import { z } from 'zod';
// @ts-expect-error kept private
import type { PermissionUpdateDestination } from '@portico/agent';
// @ts-expect-error kept private
import type { SDKUserMessageContent } from '@portico/agent';
// @ts-expect-error kept private
import type { SdkMcpToolDefinition } from '@portico/agent';
// @ts-expect-error kept private
import type { CreateSdkMcpServerOptions } from '@portico/agent';

export type Private = [
  PermissionUpdateDestination,
  SDKUserMessageContent,
  SdkMcpToolDefinition,
  CreateSdkMcpServerOptions,
];

describe('the public types', () => {
  it('G3 keep helpers private, infer the same shapes, and take texts only in env', () => {
    const made = tool('t', 'd', { n: z.number() }, ({ n }) =>
      Promise.resolve({ content: [{ type: 'text', text: String(n + 1) }] }),
    );
    expectTypeOf(made.name).toEqualTypeOf<string>();
    expectTypeOf(made.inputSchema.n).toEqualTypeOf<z.ZodNumber>();
    expectTypeOf(made.handler).parameter(0).toEqualTypeOf<{ n: number }>();
    expectTypeOf<Parameters<typeof createSdkMcpServer>[0]>().toHaveProperty('tools');
    expectTypeOf<ReturnType<typeof createSdkMcpServer>['type']>().toEqualTypeOf<'sdk'>();
    expectTypeOf<{ A: string; B: undefined }>().toExtend<NonNullable<Options['env']>>();
    expectTypeOf<{ A: number }>().not.toExtend<NonNullable<Options['env']>>();
    expectTypeOf<Extract<PermissionResult, { behavior: 'allow' }>['updatedInput']>().toEqualTypeOf<
      Record<string, unknown>
    >();
  });

  it('fit the programs that are written against them', () => {
    expectTypeOf(query).returns.toEqualTypeOf<Query>();
    expectTypeOf<Query>().toExtend<AsyncGenerator<SDKMessage, void>>();
    expectTypeOf<PermissionMode>().toEqualTypeOf<
      'default' | 'acceptEdits' | 'sandboxBashMode' | 'bypassPermissions' | 'plan'
    >();
    expectTypeOf<SDKResultMessage['subtype']>().toEqualTypeOf<
      'success' | 'error_max_turns' | 'error_during_execution'
    >();
    expectTypeOf<{ command: string }>().toExtend<McpServerConfig>();
    expectTypeOf<
      (name: string, input: Record<string, unknown>) => Promise<PermissionResult>
    >().toExtend<CanUseTool>();
    expectTypeOf<() => Promise<{ async: true }>>().toExtend<HookCallback>();
    // @ts-expect-error no such option
    query({ prompt: 'go', options: { modelName: 'x' } });
    // @ts-expect-error no such mode
    query({ prompt: 'go', options: { permissionMode: 'always' } });
  });
});
