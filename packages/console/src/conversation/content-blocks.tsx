import type { ToolResult } from '@portico/api';
import { FileText, Link2, Volume2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format.ts';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';
import { readImageFacts } from './image-facts.ts';
import { JsonTree } from './json-tree.tsx';
import { Markdown } from './markdown.tsx';
import { OpenLinkDialog, openableUrl } from './outside-link.tsx';

type Block = ToolResult['content'][number];

/** Text shown at once, in UTF-16 units; the rest on request. */
const SHOWN_TEXT = 20_000;

/** The parts of a tool's answer, in their order. */
export function ContentBlocks({
  blocks,
  isError,
}: {
  readonly blocks: readonly Block[];
  readonly isError: boolean;
}) {
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- blocks have no identity besides their place
        <ContentBlock key={index} block={block} isError={isError} />
      ))}
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function ContentBlock({ block, isError }: { readonly block: Block; readonly isError: boolean }) {
  const { t } = useTranslation();
  switch (block.type) {
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
      return <JsonTree value={block} label={t('content.unknown', { type: block.type })} />;
  }
}

function TextBlock({ text, isError }: { readonly text: string; readonly isError: boolean }) {
  const { t } = useTranslation();
  const [look, setLook] = useState<'plain' | 'markdown'>('plain');
  const [whole, setWhole] = useState(false);
  const json = useMemo(() => parseStructure(text), [text]);
  const cut = !whole && text.length > SHOWN_TEXT;
  if (json !== undefined) return <JsonTree value={json} label={t('content.text')} openDepth={2} />;
  const shown = cut ? text.slice(0, SHOWN_TEXT) : text;
  const mayBeMarkdown =
    !isError && /(^|\n)\s{0,3}(#{1,6} |[-*] |\d+\. |```|>|\|)|\*\*|`|\[[^\]]+\]\(/.test(shown);
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

function ImageBlock({ data, said }: { readonly data: string; readonly said: string }) {
  const { t } = useTranslation();
  const facts = useMemo(() => readImageFacts(data), [data]);
  if (facts === undefined)
    return (
      <FileLine
        icon={FileText}
        title={t('content.imageUnreadable')}
        detail={said}
        bytes={data.length * 0.75}
      />
    );
  return (
    <img
      src={`data:${facts.type};base64,${data}`}
      width={facts.width}
      height={facts.height}
      alt={t('content.image', { width: facts.width, height: facts.height })}
      className="h-auto max-h-120 max-w-full rounded-lg border border-line bg-sunken object-contain"
      style={{ aspectRatio: `${facts.width} / ${facts.height}`, width: `min(100%, ${facts.width}px)` }}
    />
  );
}

function AudioBlock({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
  const { t } = useTranslation();
  const type = /^audio\/[\w.+-]+$/.test(mimeType) ? mimeType : 'audio/mpeg';
  return (
    <div className="flex items-center gap-3">
      <Volume2 aria-hidden className="size-4 shrink-0 text-ink-faint" />
      {/* A tool's audio comes without captions. */}
      <audio
        controls
        preload="none"
        aria-label={t('content.audio')}
        src={`data:${type};base64,${data}`}
        className="h-11 w-full max-w-100"
      />
    </div>
  );
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

interface FileLineProps {
  readonly icon: typeof FileText;
  readonly title: string;
  readonly detail: string;
  readonly bytes?: number;
  readonly flat?: boolean;
  readonly children?: ReactNode;
}

function FileLine({ icon: Icon, title, detail, bytes, flat = false, children }: FileLineProps) {
  const { i18n } = useTranslation();
  return (
    <div className={`flex items-center gap-3 px-3 py-2 ${flat ? '' : 'rounded-xl border border-line'}`}>
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <div dir="auto" className="truncate text-sm font-medium">
          {title}
        </div>
        <div className="truncate text-xs text-ink-faint">
          {detail}
          {bytes === undefined ? '' : ` · ${formatBytes(bytes, i18n.language)}`}
        </div>
      </div>
      {children}
    </div>
  );
}

function SmallButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded px-1 text-xs text-accent underline-offset-2 hover:underline narrow:min-h-11"
    >
      {children}
    </button>
  );
}
