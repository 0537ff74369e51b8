/** Longest name that every program takes. */
export const MAX_TOOL_NAME_LENGTH = 128;

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Whether a tool's name is one that the specification recommends. Names differ by case. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}
