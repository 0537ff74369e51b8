import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown from 'react-markdown';
import type { Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { OutsideLink, openableUrl } from './outside-link.tsx';

const REMARK = [remarkGfm];
const REHYPE = [rehypeSanitize];

interface BlockProps {
  readonly children?: ReactNode;
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
  // Headings of messages rank below those of the page; every block takes its own direction.
  h1: ({ children }: BlockProps) => <h3 dir="auto">{children}</h3>,
  h2: ({ children }: BlockProps) => <h3 dir="auto">{children}</h3>,
  h3: ({ children }: BlockProps) => <h4 dir="auto">{children}</h4>,
  p: ({ children }: BlockProps) => <p dir="auto">{children}</p>,
  li: ({ children }: BlockProps) => <li dir="auto">{children}</li>,
  blockquote: ({ children }: BlockProps) => <blockquote dir="auto">{children}</blockquote>,
};

export function MarkdownRenderer({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS} skipHtml>
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** An image elsewhere tells its owner who reads; it loads only on demand. */
function RemoteImage({ src, alt }: { readonly src: string; readonly alt: string }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const [refused, setRefused] = useState(false);
  const url = openableUrl(src);
  if (url === undefined || url.protocol === 'mailto:') return <span className="text-ink-faint">{alt}</span>;
  // The page's policy, or its owner, may not let it be seen here.
  if (refused) return <OutsideLink href={url.href}>{alt === '' ? url.host : alt}</OutsideLink>;
  if (wanted)
    return (
      <img
        src={url.href}
        alt={alt}
        referrerPolicy="no-referrer"
        onError={() => setRefused(true)}
        className="max-w-full rounded-lg"
      />
    );
  return (
    <button
      type="button"
      onClick={() => setWanted(true)}
      className="inline-flex max-w-full items-center gap-2 rounded-lg border border-line bg-sunken px-2.5 py-1 text-xs text-ink-soft hover:border-line-strong"
    >
      <ImageOff aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 truncate">{t('content.loadImage', { host: url.host, alt })}</span>
    </button>
  );
}
