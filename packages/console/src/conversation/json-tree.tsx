import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showHiddenInLines } from '../ui/visible-text.ts';

/** Entries of one object or list shown before the person asks for more. */
const SHOWN_ENTRIES = 100;
/** Least width of a value, in characters, unless it is shorter. */
const LEAF_CHARACTERS = 16;
/** Deepest level that opens; a value nested deeper is shown as text. */
const MAX_TREE_DEPTH = 48;

export interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
  /** Levels that are open at first. */
  readonly openDepth?: number;
}

/** A JSON value to look through: levels open and close, strings keep their line breaks. */
export function JsonTree({ value, label, openDepth = 1 }: JsonTreeProps) {
  return (
    <div
      role="group"
      aria-label={label}
      dir="ltr"
      className="overflow-x-auto rounded-lg border border-line bg-sunken px-3 py-2 font-code text-xs leading-5"
    >
      <Value value={value} depth={0} openDepth={openDepth} />
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth: number;
  readonly openDepth: number;
}

function Value({ value, name, depth, openDepth }: ValueProps) {
  if (typeof value === 'object' && value !== null && depth < MAX_TREE_DEPTH) {
    const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
    if (entries.length > 0) {
      return (
        <Branch
          entries={entries}
          isList={Array.isArray(value)}
          name={name}
          depth={depth}
          openDepth={openDepth}
        />
      );
    }
  }
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  );
}

interface BranchProps extends Omit<ValueProps, 'value' | 'name'> {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly isList: boolean;
  readonly name: string | undefined;
}

function Branch({ entries, isList, name, depth, openDepth }: BranchProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(SHOWN_ENTRIES);
  const summary = isList
    ? t('json.entries', { count: entries.length })
    : t('json.fields', { count: entries.length });
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ms-1 flex min-h-5 max-w-full items-center gap-1 rounded px-1 text-start hover:bg-hover narrow:min-h-8"
      >
        <ChevronRight
          aria-hidden
          className={`size-3 shrink-0 text-ink-faint transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <Name name={name} />
        <span className="shrink-0 text-ink-faint">{summary}</span>
      </button>
      {open ? (
        <div className="ms-[0.3125rem] border-s border-line ps-3">
          {entries.slice(0, shown).map(([key, entry]) => (
            <Value key={key} value={entry} name={key} depth={depth + 1} openDepth={openDepth} />
          ))}
          {entries.length > shown ? (
            <button
              type="button"
              className="text-accent underline"
              onClick={() => setShown(shown + SHOWN_ENTRIES)}
            >
              {t('json.more', { count: entries.length - shown })}
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <span className="min-w-0 text-accent-strong [overflow-wrap:anywhere]">{showHiddenInLines(name)}:</span>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const look =
    typeof value === 'string'
      ? 'whitespace-pre-wrap text-ink'
      : value === null || typeof value === 'boolean'
        ? 'text-warn'
        : 'text-good';
  // Beside a name that leaves less than this it begins a line of its own.
  const flexBasis = `${Math.min(text.length, LEAF_CHARACTERS)}ch`;
  return (
    <span className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${look}`} style={{ flexBasis }}>
      {typeof value === 'string' ? showHiddenInLines(text) : text}
    </span>
  );
}
