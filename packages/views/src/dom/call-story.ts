import { sameValue } from '@portico/connections';
import type { ViewBridge } from '../bridge/view-bridge.ts';
import type { ViewSettings } from './view-settings.ts';

/** Tells a view what of its call is new, and nothing twice. */
export interface CallStory {
  tell(settings: ViewSettings): void;
}

type Told = Pick<ViewSettings, 'toolInput' | 'partialToolInput' | 'toolOutput'>;

export function createCallStory(bridge: ViewBridge): CallStory {
  const told: { -readonly [Name in keyof Told]: Told[Name] } = {};
  const isNew = (name: 'toolInput' | 'partialToolInput' | 'toolOutput', settings: ViewSettings): boolean =>
    settings[name] !== undefined && !sameValue(told[name], settings[name]);
  return {
    tell(settings) {
      const { partialToolInput, toolInput, toolOutput, cancelled } = settings;
      if (partialToolInput !== undefined && isNew('partialToolInput', settings)) {
        told.partialToolInput = partialToolInput;
        bridge.sendToolInputPartial(partialToolInput);
      }
      if (toolInput !== undefined && isNew('toolInput', settings)) {
        if (told.toolInput === undefined) bridge.sendToolInput(toolInput);
        else bridge.replaceToolInput(toolInput);
        told.toolInput = toolInput;
      }
      if (toolOutput !== undefined && isNew('toolOutput', settings)) {
        if (told.toolOutput === undefined) bridge.sendToolResult(toolOutput);
        else bridge.replaceToolResult(toolOutput);
        told.toolOutput = toolOutput;
      }
      if (cancelled !== undefined && cancelled !== false) {
        // Only the first end of a call counts there.
        bridge.sendToolCancelled(typeof cancelled === 'string' ? cancelled : undefined);
      }
    },
  };
}
