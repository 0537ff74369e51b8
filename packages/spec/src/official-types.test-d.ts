import type * as official from '@modelcontextprotocol/client';
import type * as ours from './index.ts';

/** Compiles only when a value of the first type can be used as the second. */
type Fits<From extends To, To> = [From, To];

/** What we hand to programs written for the official package. */
export type Given = [
  Fits<ours.TextContent, official.TextContent>,
  Fits<ours.ImageContent, official.ImageContent>,
  Fits<ours.ContentBlock, official.ContentBlock>,
  Fits<ours.Implementation, official.Implementation>,
  Fits<ours.Resource, official.Resource>,
  Fits<ours.ResourceTemplateType, official.ResourceTemplateType>,
  Fits<ours.Prompt, official.Prompt>,
  Fits<ours.Root, official.Root>,
  Fits<ours.LoggingLevel, official.LoggingLevel>,
  Fits<ours.CallToolResult, official.CallToolResult>,
  Fits<ours.ReadResourceResult, official.ReadResourceResult>,
  Fits<ours.GetPromptResult, official.GetPromptResult>,
  Fits<ours.CompleteResult, official.CompleteResult>,
  Fits<ours.ElicitResult, official.ElicitResult>,
];

/** What such programs hand to us, read without exactOptionalPropertyTypes as they are written. */
export type Names = [
  official.Tool['name'],
  Fits<keyof ours.ToolAnnotations, keyof official.ToolAnnotations>,
  Fits<keyof ours.ClientCapabilities, keyof official.ClientCapabilities>,
  Fits<keyof official.ClientCapabilities, keyof ours.ClientCapabilities>,
  Fits<keyof ours.ServerCapabilities, keyof official.ServerCapabilities>,
  Fits<keyof official.ServerCapabilities, keyof ours.ServerCapabilities>,
  Fits<official.LoggingLevel, ours.LoggingLevel>,
  Fits<official.Role, ours.Role>,
  Fits<ours.SubscriptionFilter, official.SubscriptionFilter>,
];
