import type { Publish, PublishResult } from '@portico/api';
import { MAX_PAGE_BYTES } from '@portico/api';
import { FileCode2, Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format.ts';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { FieldError, TextAreaField, TextField } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { readManifestText, readPageFiles } from './page-files.ts';
import type { PageFile } from './page-files.ts';

export interface PublishDialogProps {
  readonly onClose: () => void;
  readonly onPublished: (result: PublishResult) => void;
}

export function PublishDialog({ onClose, onPublished }: PublishDialogProps) {
  const { t } = useTranslation();
  const { api, host } = useConsole();
  const [page, setPage] = useState<PageFile>();
  const [title, setTitle] = useState('');
  const [manifest, setManifest] = useState('');
  const [problem, setProblem] = useState<'not_html' | 'too_large' | 'unreadable'>();
  const action = useAction();
  const parsed = readManifestText(manifest);
  const take = async (files: readonly File[]): Promise<void> => {
    const taken = await readPageFiles(files, MAX_PAGE_BYTES);
    if ('problem' in taken) return setProblem(taken.problem);
    setProblem(undefined);
    setPage(taken.page);
    if (taken.manifest !== undefined) setManifest(taken.manifest);
  };
  const publish = async (): Promise<void> => {
    if (page === undefined || !parsed.ok) return;
    const result = await api.publish(publication(page, title, parsed.value));
    host.addArtifact(result.artifact);
    onPublished(result);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      title={t('artifacts.publishTitle')}
      description={t('artifacts.publishHint')}
      footer={
        <>
          <Button onClick={onClose}>{t('general.cancel')}</Button>
          <Button
            look="primary"
            busy={action.busy}
            disabled={page === undefined || !parsed.ok}
            onClick={() => void action.run(publish)}
          >
            {t('artifacts.publishNow')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <DropZone page={page} onFiles={(files) => void take(files)} />
        {problem === undefined ? null : <FieldError>{t(`artifacts.fileProblem.${problem}`)}</FieldError>}
        <PageFacts
          title={title}
          onTitle={setTitle}
          manifest={manifest}
          onManifest={setManifest}
          readable={parsed.ok}
        />
        <ActionError error={action.error} />
      </div>
    </Dialog>
  );
}

/** What is sent: without a title the page's own counts, without a manifest the one inside it. */
function publication(page: PageFile, title: string, manifest: unknown): Publish {
  return {
    html: page.html,
    ...(manifest === undefined ? {} : { manifest }),
    ...(title.trim() === '' ? {} : { title: title.trim() }),
  };
}

interface PageFactsProps {
  readonly title: string;
  readonly onTitle: (title: string) => void;
  readonly manifest: string;
  readonly onManifest: (manifest: string) => void;
  /** Whether the manifest's text is JSON. */
  readonly readable: boolean;
}

function PageFacts({ title, onTitle, manifest, onManifest, readable }: PageFactsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('artifacts.title')}
        optional={t('general.optional')}
        hint={t('artifacts.titleHint')}
        maxLength={200}
        value={title}
        onChange={(event) => onTitle(event.target.value)}
      />
      <TextAreaField
        label={t('artifacts.manifest')}
        optional={t('general.optional')}
        hint={t('artifacts.manifestHint')}
        error={readable ? undefined : t('form.draft.not_json')}
        placeholder={'{"mcp": {"servers": [{"name": "Demo", "tools": ["list_notes"]}]}}'}
        rows={3}
        dir="ltr"
        value={manifest}
        onChange={(event) => onManifest(event.target.value)}
        className="font-code text-xs"
      />
    </>
  );
}

function ChosenPage({ page }: { readonly page: PageFile | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {page === undefined ? (
        <Upload aria-hidden className="size-6 text-ink-faint" strokeWidth={1.6} />
      ) : (
        <FileCode2 aria-hidden className="size-6 text-accent" strokeWidth={1.6} />
      )}
      <p className="mt-2 text-sm font-medium" aria-live="polite">
        {page === undefined
          ? t('artifacts.drop')
          : `${page.name} · ${formatBytes(page.bytes, i18n.language)}`}
      </p>
    </>
  );
}

interface DropZoneProps {
  readonly page: PageFile | undefined;
  readonly onFiles: (files: readonly File[]) => void;
}

function DropZone({ page, onFiles }: DropZoneProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        'flex flex-col items-center rounded-2xl border-2 border-dashed px-6 py-7 text-center transition-colors',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong/50 bg-surface',
      )}
    >
      <ChosenPage page={page} />
      <label htmlFor={id} className="sr-only">
        {t('artifacts.file')}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        accept=".html,.htm,.json,text/html,application/json"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button className="mt-3" onClick={() => input.current?.click()}>
        {page === undefined ? t('artifacts.choose') : t('artifacts.chooseOther')}
      </Button>
    </div>
  );
}
