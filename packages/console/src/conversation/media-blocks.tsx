import { FileText, Volume2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format.ts';
import { readImageFacts } from './image-facts.ts';

/** An image in base64, if its bytes are one of the known kinds. */
export function ImageBlock({ data, said }: { readonly data: string; readonly said: string }) {
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

export function AudioBlock({ data, mimeType }: { readonly data: string; readonly mimeType: string }) {
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

interface FileLineProps {
  readonly icon: typeof FileText;
  readonly title: string;
  readonly detail: string;
  readonly bytes?: number;
  readonly flat?: boolean;
  readonly children?: ReactNode;
}

/** One file in a line: what it is called, what it is, how large. */
export function FileLine({ icon: Icon, title, detail, bytes, flat = false, children }: FileLineProps) {
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
