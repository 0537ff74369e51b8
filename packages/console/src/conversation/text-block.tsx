import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SmallButton } from '../ui/small-button.tsx';
import { showHiddenInLines } from '../ui/visible-text.ts';
import { JsonTree } from './json-tree.tsx';
import { Markdown } from './markdown.tsx';

/** Text shown at once, in UTF-16 units; the rest on request. */
const SHOWN_TEXT = 20_000;

export interface TextBlockProps {
  readonly text: string;
  readonly isError: boolean;
  /** `plain` by default: text of a tool is Markdown only by chance. */
  readonly startAs?: 'plain' | 'markdown';
}

/** Text as it came, as a tree where it is JSON, and formatted where it is or may be Markdown. */
export function TextBlock({ text, isError, startAs = 'plain' }: TextBlockProps) {
  const { t } = useTranslation();
  const [look, setLook] = useState(startAs);
  const [whole, setWhole] = useState(false);
  const json = useMemo(() => parseStructure(text), [text]);
  const cut = !whole && text.length > SHOWN_TEXT;
  if (json !== undefined) return <JsonTree value={json} label={t('content.text')} openDepth={2} />;
  const shown = cut ? text.slice(0, SHOWN_TEXT) : text;
  const mayBeMarkdown =
    startAs === 'markdown' ||
    (!isError && /(^|\n)\s{0,3}(#{1,6} |[-*] |\d+\. |```|>|\|)|\*\*|`|\[[^\]]+\]\(/.test(shown));
  return (
    <div className="group/text relative">
      {look === 'markdown' ? (
        <Markdown text={shown} />
      ) : (
        <p
          dir="auto"
          className={`text-sm whitespace-pre-wrap [overflow-wrap:anywhere] ${isError ? 'text-danger' : ''}`}
        >
          {showHiddenInLines(shown)}
        </p>
      )}
      <div className="mt-1 flex gap-3 empty:hidden">
        {cut ? (
          <SmallButton onClick={() => setWhole(true)}>
            {t('content.showAll', { count: text.length - SHOWN_TEXT })}
          </SmallButton>
        ) : null}
        {mayBeMarkdown ? (
          <SmallButton onClick={() => setLook(look === 'plain' ? 'markdown' : 'plain')}>
            {look === 'plain' ? t('content.asMarkdown') : t('content.asText')}
          </SmallButton>
        ) : null}
      </div>
    </div>
  );
}

/** Text that is a JSON object or list reads better as a tree. */
function parseStructure(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > 1_000_000) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
