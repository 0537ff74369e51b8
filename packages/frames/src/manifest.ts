import { createLineOf, scanHtml } from './html-scan.ts';
import type { LineOf, ScriptElement } from './html-scan.ts';
import { readJsonWithPositions } from './json-positions.ts';
import { checkManifest, shortKey } from './manifest-shape.ts';
import type { Manifest, ShapeFault } from './manifest-shape.ts';

/** `type` of the script element that holds a page's manifest. */
export const MANIFEST_TYPE = 'application/portico+json';

/** Something the author should know; an `error` stands against publishing, a `warning` does not. */
export interface ManifestIssue {
  readonly code:
    | 'not_html'
    | 'several_manifests'
    | 'invalid_json'
    | 'duplicate_key'
    | 'wrong_shape'
    | 'unknown_key'
    | 'claude_redeclared';
  readonly level: 'error' | 'warning';
  readonly source: 'page' | 'file';
  /** Line in that source, from 1; 1 when a file was handed over as a value. */
  readonly line: number;
  readonly message: string;
}

export interface ManifestReading {
  /** The page with every manifest script taken out. */
  readonly html: string;
  /** The parts that are right; empty when there is no manifest. */
  readonly manifest: Manifest;
  readonly issues: readonly ManifestIssue[];
}

/** Most issues of one level that are told; the rest would say the same. */
const MAX_ISSUES = 100;

/** Longest manifest, in UTF-16 units (256 KiB of ASCII). */
const MAX_MANIFEST_LENGTH = 262_144;

interface Source {
  readonly kind: ManifestIssue['source'];
  /** Text of the manifest. */
  readonly json: string;
  /** Line of the source on which that text begins. */
  readonly firstLine: number;
}

interface ManifestOnly {
  readonly manifest: Manifest;
  readonly issues: readonly ManifestIssue[];
}

function lineOf(source: Source): LineOf {
  const lineInJson = createLineOf(source.json);
  return (offset) => source.firstLine + lineInJson(offset) - 1;
}

function shapeIssue(fault: ShapeFault, kind: Source['kind'], line: number): ManifestIssue {
  return {
    code: fault.level === 'error' ? 'wrong_shape' : 'unknown_key',
    level: fault.level,
    source: kind,
    line,
    message: fault.message,
  };
}

/** The first issues of each level, so that no number of warnings hides an error. */
function firstIssues(issues: readonly ManifestIssue[]): ManifestIssue[] {
  const left = { error: MAX_ISSUES, warning: MAX_ISSUES };
  return issues.filter(({ level }) => left[level]-- > 0);
}

function unreadable(source: Source, offset: number, reason: string): ManifestOnly {
  const issue: ManifestIssue = {
    code: 'invalid_json',
    level: 'error',
    source: source.kind,
    line: lineOf(source)(offset),
    message: `The manifest is not JSON: ${reason}.`,
  };
  return { manifest: {}, issues: [issue] };
}

function readManifestText(source: Source): ManifestOnly {
  if (source.json.length > MAX_MANIFEST_LENGTH) {
    return unreadable(source, 0, `it is longer than ${MAX_MANIFEST_LENGTH} characters`);
  }
  const reading = readJsonWithPositions(source.json);
  if (!reading.ok) return unreadable(source, reading.fault.offset, reading.fault.reason);
  const { manifest, faults } = checkManifest(reading.json.value);
  const line = lineOf(source);
  const issues: ManifestIssue[] = reading.json.duplicates.map(({ key, offset }) => ({
    code: 'duplicate_key',
    level: 'error',
    source: source.kind,
    line: line(offset),
    message: `"${shortKey(key)}" is given twice`,
  }));
  for (const fault of faults) {
    issues.push(shapeIssue(fault, source.kind, line(reading.json.offsetOf(fault.pointer) ?? 0)));
  }
  return { manifest, issues };
}

function readSidecar(sidecar: unknown): ManifestOnly {
  if (typeof sidecar === 'string') {
    return readManifestText({ kind: 'file', json: sidecar.replace(/^\uFEFF/, ''), firstLine: 1 });
  }
  const { manifest, faults } = checkManifest(sidecar);
  return { manifest, issues: faults.map((fault) => shapeIssue(fault, 'file', 1)) };
}

function isManifestScript(script: ScriptElement): boolean {
  return (script.attributes.get('type') ?? '').trim().toLowerCase() === MANIFEST_TYPE;
}

interface Page {
  readonly html: string;
  readonly scripts: readonly ScriptElement[];
  readonly line: LineOf;
}

function cutOut(html: string, parts: readonly ScriptElement[]): string {
  let result = '';
  let at = 0;
  for (const part of parts) {
    result += html.slice(at, part.start);
    at = part.end;
  }
  return result + html.slice(at);
}

const CLASSIC = new Set(['', 'text/javascript', 'application/javascript', 'text/ecmascript']);
const REDECLARATION = /^[ \t]*(?:const|let|class)[ \t]+claude\b/m;

/** A classic script that declares `claude` at its top level does not run beside the locked root. */
function findRedeclarations(page: Page): ManifestIssue[] {
  const { html, scripts, line } = page;
  const issues: ManifestIssue[] = [];
  for (const script of scripts) {
    const type = (script.attributes.get('type') ?? '').trim().toLowerCase();
    const match = CLASSIC.has(type)
      ? REDECLARATION.exec(html.slice(script.contentStart, script.contentEnd))
      : null;
    if (match === null) continue;
    issues.push({
      code: 'claude_redeclared',
      level: 'warning',
      source: 'page',
      line: line(script.contentStart + match.index),
      message: 'A script that declares "claude" itself fails as a whole; use window.claude or another name.',
    });
  }
  return issues;
}

function pageManifest({ html, scripts, line }: Page): ManifestOnly {
  const [first, ...others] = scripts;
  if (first === undefined) return { manifest: {}, issues: [] };
  const reading = readManifestText({
    kind: 'page',
    json: html.slice(first.contentStart, first.contentEnd),
    firstLine: line(first.contentStart),
  });
  const issues = others.map((other): ManifestIssue => ({
    code: 'several_manifests',
    level: 'error',
    source: 'page',
    line: line(other.start),
    message: 'The page has more than one manifest.',
  }));
  return { manifest: reading.manifest, issues: [...reading.issues, ...issues] };
}

/**
 * Reads a page's manifest and takes it out of the page. A manifest file wins over the one inside
 * the page, which is then not read at all.
 *
 * @param html the page as its author wrote it
 * @param sidecar contents of a manifest file: its text, or the value already parsed
 */
export function readManifest(html: string, sidecar?: unknown): ManifestReading {
  const scan = scanHtml(html);
  const scripts = scan.scripts.filter(isManifestScript);
  const line = createLineOf(html);
  const { manifest, issues } =
    sidecar === undefined ? pageManifest({ html, scripts, line }) : readSidecar(sidecar);
  const all = [...issues, ...findRedeclarations({ html, scripts: scan.scripts, line })];
  if (scan.tagCount === 0) {
    all.unshift({
      code: 'not_html',
      level: 'error',
      source: 'page',
      line: 1,
      message: 'The page has not a single HTML tag.',
    });
  }
  return { html: cutOut(html, scripts), manifest, issues: firstIssues(all) };
}
