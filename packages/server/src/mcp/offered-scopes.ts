import type { ScopeChallengeHandler } from '../scopes/scope-challenge.ts';
import type { PromptRecord } from './prompt-handlers.ts';
import type { Registry } from './registry.ts';
import { findResource } from './resource-handlers.ts';
import type { ResourceRecord, ResourceTemplateRecord } from './resource-registration.ts';
import type { ToolRecord } from './tool-registration.ts';

/** What a server offers by name. */
export interface Offers {
  readonly tools: Registry<ToolRecord>;
  readonly resources: Registry<ResourceRecord>;
  readonly templates: Registry<ResourceTemplateRecord>;
  readonly prompts: Registry<PromptRecord>;
}

/** Asks the tool, resource or prompt that a request is for; what is not there asks for nothing. */
export function offeredScopes(offers: Offers): ScopeChallengeHandler {
  return (context) => {
    const { method, params } = context.request;
    return handlerOf(method, params ?? {}, offers)?.(context);
  };
}

function handlerOf(
  method: string,
  { name, uri }: Readonly<Record<string, unknown>>,
  { tools, prompts, ...places }: Offers,
): ScopeChallengeHandler | undefined {
  switch (method) {
    case 'tools/call':
      return typeof name === 'string' ? tools.find(name)?.config.scopeChallenge : undefined;
    case 'prompts/get':
      return typeof name === 'string' ? prompts.find(name)?.config.scopeChallenge : undefined;
    case 'resources/read':
      return findResource(uri, places)?.record.scopeChallenge;
    default:
      return undefined;
  }
}
