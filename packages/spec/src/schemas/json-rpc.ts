import { z } from 'zod';
import { NotificationParamsSchema, RequestIdSchema, RequestParamsSchema, ResultSchema } from './base.ts';

const version = z.literal('2.0');

export const JSONRPCRequestSchema = z.strictObject({
  jsonrpc: version,
  id: RequestIdSchema,
  method: z.string(),
  params: RequestParamsSchema.optional(),
});
export const JSONRPCNotificationSchema = z.strictObject({
  jsonrpc: version,
  method: z.string(),
  params: NotificationParamsSchema.optional(),
});
export const JSONRPCResultResponseSchema = z.strictObject({
  jsonrpc: version,
  id: RequestIdSchema,
  result: ResultSchema,
});
export const JSONRPCErrorResponseSchema = z.strictObject({
  jsonrpc: version,
  /** Missing when the request's own could not be read. */
  id: RequestIdSchema.optional(),
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
export const JSONRPCResponseSchema = z.union([JSONRPCResultResponseSchema, JSONRPCErrorResponseSchema]);
export const JSONRPCMessageSchema = z.union([
  JSONRPCRequestSchema,
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  JSONRPCErrorResponseSchema,
]);
