import { useTranslation } from 'react-i18next';
import { ContentBlocks } from './content-blocks.tsx';
import type { ContentBlock } from './content-blocks.tsx';
import { JsonTree } from './json-tree.tsx';

/** What a tool answers. */
export interface ShownResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** All of a tool's answer: its parts in their order, and what it has as a structure. */
export function ResultBody({ result }: { readonly result: ShownResult }) {
  const { t } = useTranslation();
  const { content, structuredContent } = result;
  return (
    <div className="flex flex-col gap-3">
      {content.length === 0 && structuredContent === undefined ? (
        <p className="text-sm text-ink-faint">{t('call.emptyResult')}</p>
      ) : (
        <ContentBlocks blocks={content} isError={result.isError === true} />
      )}
      <StructuredContent value={structuredContent} blocks={content} />
    </div>
  );
}

/** Structured content, unless the text says exactly the same. */
function StructuredContent({
  value,
  blocks,
}: {
  readonly value: unknown;
  readonly blocks: readonly ContentBlock[];
}) {
  const { t } = useTranslation();
  if (value === undefined || repeats(value, blocks)) return null;
  return (
    <div>
      <h4 className="mb-1 text-2xs font-medium text-ink-faint">{t('call.structured')}</h4>
      <JsonTree value={value} label={t('call.structured')} openDepth={2} />
    </div>
  );
}

function repeats(value: unknown, blocks: readonly ContentBlock[]): boolean {
  const [only] = blocks;
  if (blocks.length !== 1 || only === undefined || only.type !== 'text') return false;
  const { text }: Readonly<Record<string, unknown>> = { ...only };
  if (typeof text !== 'string') return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}
