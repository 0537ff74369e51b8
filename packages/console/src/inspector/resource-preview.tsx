import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AudioBlock, ImageBlock } from '../conversation/media-blocks.tsx';
import { TextBlock } from '../conversation/text-block.tsx';
import { formatBytes } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { showHidden } from '../ui/visible-text.ts';
import { bytesOf, fileNameOf, lookOf, sizeOf } from './resource-content.ts';
import type { ContentLook, ReadContent } from './resource-content.ts';
import { saveFile } from './save-file.ts';

/** What reading a resource brought, part for part. */
export function ResourcePreview({ contents }: { readonly contents: readonly ReadContent[] }) {
  const { t } = useTranslation();
  if (contents.length === 0) return <p className="text-sm text-ink-faint">{t('inspector.readNothing')}</p>;
  return (
    <div className="flex flex-col gap-3">
      {contents.map((content, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts may share an address
        <ContentCard key={index} content={content} alone={contents.length === 1} />
      ))}
    </div>
  );
}

function ContentCard({ content, alone }: { readonly content: ReadContent; readonly alone: boolean }) {
  const { t, i18n } = useTranslation();
  const look = useMemo(() => lookOf(content), [content]);
  const facts = [content.mimeType ?? t('inspector.noType'), formatBytes(sizeOf(content), i18n.language)];
  const save = (): void => {
    const bytes = bytesOf(content);
    if (bytes !== undefined) saveFile(fileNameOf(content), bytes);
  };
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised shadow-card">
      <div className="flex min-h-11 items-center gap-1 border-b border-line py-1 ps-3 pe-1.5">
        <div className="min-w-0 flex-1 text-xs text-ink-faint">
          {alone ? null : <code className="block truncate text-ink-soft">{showHidden(content.uri)}</code>}
          <span className="block [overflow-wrap:anywhere]">{facts.join(' · ')}</span>
        </div>
        {'text' in look ? <CopyButton text={look.text} label={t('inspector.copyText')} /> : null}
        <Button
          look="quiet"
          icon={Download}
          className="px-2 text-xs"
          aria-label={t('inspector.saveFile')}
          onClick={save}
        >
          <span className="narrow:hidden">{t('inspector.saveFile')}</span>
        </Button>
      </div>
      <div className="p-3">
        <ContentBody content={content} look={look} />
      </div>
    </div>
  );
}

function ContentBody({ content, look }: { readonly content: ReadContent; readonly look: ContentLook }) {
  const { t } = useTranslation();
  const { blob = '', mimeType = '' } = content;
  switch (look.kind) {
    case 'text':
    case 'markdown':
      return look.text === '' ? (
        <p className="text-sm text-ink-faint">{t('inspector.emptyText')}</p>
      ) : (
        <TextBlock
          text={look.text}
          isError={false}
          startAs={look.kind === 'markdown' ? 'markdown' : 'plain'}
        />
      );
    case 'image':
      return <ImageBlock data={blob} said={mimeType} />;
    case 'audio':
      return <AudioBlock data={blob} mimeType={mimeType} />;
    case 'binary':
      return <p className="text-sm text-ink-soft">{t('inspector.binary')}</p>;
  }
}
