import { FileText, Link2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SmallButton } from '../ui/small-button.tsx';
import { showHidden } from '../ui/visible-text.ts';
import { readImageFacts } from './image-facts.ts';
import { JsonTree } from './json-tree.tsx';
import { AudioBlock, FileLine, ImageBlock } from './media-blocks.tsx';
import { OpenLinkDialog, openableUrl } from './outside-link.tsx';
import { TextBlock } from './text-block.tsx';

/** One part of an answer; what else is in it depends on its type, and on who made it. */
export interface ContentBlock {
  readonly type: string;
}

/** The parts of a tool's answer, in their order. */
export function ContentBlocks({
  blocks,
  isError,
}: {
  readonly blocks: readonly ContentBlock[];
  readonly isError: boolean;
}) {
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- blocks have no identity besides their place
        <Block key={index} block={block} isError={isError} />
      ))}
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function Block({ block: typed, isError }: { readonly block: ContentBlock; readonly isError: boolean }) {
  const { t } = useTranslation();
  const block: Readonly<Record<string, unknown>> = { ...typed };
  switch (typed.type) {
    case 'text':
      return <TextBlock text={textOf(block['text'])} isError={isError} />;
    case 'image':
      return <ImageBlock data={textOf(block['data'])} said={textOf(block['mimeType'])} />;
    case 'audio':
      return <AudioBlock data={textOf(block['data'])} mimeType={textOf(block['mimeType'])} />;
    case 'resource_link':
      return (
        <ResourceLink
          uri={textOf(block['uri'])}
          name={textOf(block['title'] ?? block['name'])}
          about={textOf(block['description'])}
        />
      );
    case 'resource':
      return <EmbeddedResource resource={block['resource']} isError={isError} />;
    default:
      return <JsonTree value={block} label={t('content.unknown', { type: typed.type })} />;
  }
}

interface ResourceLinkProps {
  readonly uri: string;
  readonly name: string;
  readonly about: string;
}

function ResourceLink({ uri, name, about }: ResourceLinkProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const url = openableUrl(uri);
  return (
    <>
      <FileLine
        icon={Link2}
        title={name === '' ? showHidden(uri) : name}
        detail={about === '' ? showHidden(uri) : `${about} · ${showHidden(uri)}`}
      >
        {url === undefined ? null : (
          <SmallButton onClick={() => setAsking(true)}>{t('link.open')}</SmallButton>
        )}
      </FileLine>
      {asking && url !== undefined ? <OpenLinkDialog url={url} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function EmbeddedResource({ resource, isError }: { readonly resource: unknown; readonly isError: boolean }) {
  const { t } = useTranslation();
  const { uri, mimeType, text, blob } = (
    typeof resource === 'object' && resource !== null ? resource : {}
  ) as Record<string, unknown>;
  const type = textOf(mimeType);
  const isImage = typeof blob === 'string' && readImageFacts(blob) !== undefined;
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <FileLine
        icon={FileText}
        title={showHidden(textOf(uri))}
        detail={type}
        {...(typeof blob === 'string' ? { bytes: blob.length * 0.75 } : {})}
        flat
      />
      {typeof text === 'string' ? (
        <div className="border-t border-line px-3 py-2.5">
          <TextBlock text={text} isError={isError} />
        </div>
      ) : null}
      {isImage ? (
        <div className="border-t border-line p-3">
          <ImageBlock data={textOf(blob)} said={type} />
        </div>
      ) : null}
      {typeof text !== 'string' && typeof blob !== 'string' ? (
        <JsonTree value={resource} label={t('content.resource')} />
      ) : null}
    </div>
  );
}
