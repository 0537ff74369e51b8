const ESCAPE = 0x1b;
const BELL = 0x07;
const TAB = 0x09;
const STRING_END = 0x9c;

/** Where in a terminal sequence the scanner is. */
type State = 'text' | 'escape' | 'control' | 'string' | 'string_escape';

/** Introducers of strings that end only at a terminator: DCS, SOS, OSC, PM, APC after ESC or as C1. */
const STRING_AFTER_ESCAPE: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const STRING_C1: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

function isHidden(code: number): boolean {
  if (code < 0x20) return code !== TAB;
  if (code >= 0x7f && code <= 0x9f) return true;
  // Marks that turn the reading direction around can make a line say something else.
  return (
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

function afterText(code: number): State {
  if (code === ESCAPE) return 'escape';
  if (code === 0x9b) return 'control';
  return STRING_C1.has(code) ? 'string' : 'text';
}

function afterEscape(code: number): State {
  if (code === 0x5b) return 'control';
  if (STRING_AFTER_ESCAPE.has(code)) return 'string';
  // Intermediate bytes (0x20–0x2f) are followed by one more.
  return code >= 0x20 && code <= 0x2f ? 'escape' : 'text';
}

function nextState(state: State, code: number): State {
  switch (state) {
    case 'text':
      return afterText(code);
    case 'escape':
      return afterEscape(code);
    case 'control':
      return code >= 0x40 && code <= 0x7e ? 'text' : 'control';
    case 'string':
      if (code === BELL || code === STRING_END) return 'text';
      return code === ESCAPE ? 'string_escape' : 'string';
    case 'string_escape':
      return code === 0x5c ? 'text' : 'string';
  }
}

/** Most lines are like this, and a flood of them should cost little. */
const PLAIN = /^[ -~\t]*$/;

/** Takes terminal sequences, control and direction characters out of one line, in one pass. */
export function stripControlSequences(line: string): string {
  if (PLAIN.test(line)) return line;
  let state: State = 'text';
  let clean = '';
  let keptFrom = 0;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    const before: State = state;
    state = nextState(state, code);
    if (before === 'text' && state === 'text' && !isHidden(code)) continue;
    clean += line.slice(keptFrom, index);
    keptFrom = index + 1;
  }
  return clean + line.slice(keptFrom);
}
