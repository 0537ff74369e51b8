import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showHidden } from '../ui/visible-text.ts';

/** The address as a URL when it may be opened from here: web and mail only. */
export function openableUrl(href: string | undefined): URL | undefined {
  if (href === undefined) return undefined;
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A link that somebody else wrote: its whole target is shown before it opens. */
export function OutsideLink({
  href,
  children,
}: {
  readonly href: string | undefined;
  readonly children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const url = openableUrl(href);
  if (url === undefined) return <span className="underline decoration-dotted">{children}</span>;
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={showHidden(url.href)}
        onClick={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        {children}
      </a>
      {asking ? <OpenLinkDialog url={url} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

export interface OpenLinkDialogProps {
  readonly url: URL;
  /** Whose view asks for it; without it the person pressed the link. */
  readonly from?: string;
  readonly onClose: () => void;
  readonly onOpen?: () => void;
}

export function OpenLinkDialog({ url, from, onClose, onOpen = onClose }: OpenLinkDialogProps) {
  const { t } = useTranslation();
  const { before, host, after } = partsOf(url);
  return (
    <Dialog
      open
      onClose={onClose}
      title={from === undefined ? t('link.title') : t('link.titleFrom', { from })}
      description={t('link.hint')}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <a
            href={url.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={onOpen}
            className="control-height inline-flex items-center gap-2 rounded-lg bg-accent px-3.5 text-sm font-medium text-on-accent hover:bg-accent-strong"
          >
            <ExternalLink aria-hidden className="size-4" />
            {t('link.open')}
          </a>
        </>
      }
    >
      <code className="block rounded-lg bg-sunken px-3 py-2 text-xs [overflow-wrap:anywhere]">
        <span className="text-ink-faint">{before}</span>
        <strong>{host}</strong>
        <span className="text-ink-soft">{after}</span>
      </code>
    </Dialog>
  );
}

/** `URL` spells international names in their ASCII form, so look-alikes show. */
function partsOf(url: URL): { readonly before: string; readonly host: string; readonly after: string } {
  const whole = showHidden(url.href);
  const at = whole.indexOf(url.host);
  if (url.host === '' || at === -1) return { before: '', host: '', after: whole };
  return { before: whole.slice(0, at), host: url.host, after: whole.slice(at + url.host.length) };
}
