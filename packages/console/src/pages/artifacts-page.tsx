import type { Artifact, PublishResult } from '@portico/api';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AppWindow, FileCode2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PublishDialog } from '../artifacts/publish-dialog.tsx';
import { Tag } from '../connectors/tool-list.tsx';
import { formatDate } from '../i18n/format.ts';
import { Page } from '../shell/page.tsx';
import { useArtifacts } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { EmptyState } from '../ui/states.tsx';

export function ArtifactsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { publish } = useSearch({ strict: false });
  const artifacts = useArtifacts();
  const [published, setPublished] = useState<PublishResult>();
  const open = (wanted: boolean): void =>
    void navigate({ to: '/artifacts', search: wanted ? { publish: true } : {} });
  const onPublished = (result: PublishResult): void => {
    const { artifact, warnings, created } = result;
    if (warnings.length === 0 && created) {
      void navigate({ to: '/artifacts/$artifactId', params: { artifactId: artifact.id }, replace: true });
      return;
    }
    setPublished(result);
    open(false);
  };
  const button = (
    <Button look="primary" icon={Upload} onClick={() => open(true)}>
      {t('artifacts.publish')}
    </Button>
  );
  return (
    <Page title={t('shell.artifacts')} actions={artifacts.length === 0 ? undefined : button} layout="wide">
      {published === undefined ? null : <PublishedNotice result={published} />}
      {artifacts.length === 0 ? (
        <EmptyState icon={AppWindow} title={t('artifacts.none')} action={button}>
          {t('artifacts.noneHint')}
        </EmptyState>
      ) : (
        <>
          <p className="mb-5 text-sm text-ink-soft">{t('artifacts.lead')}</p>
          <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {artifacts.map((artifact) => (
              <ArtifactCard key={artifact.id} artifact={artifact} />
            ))}
          </ul>
        </>
      )}
      {publish === true ? <PublishDialog onClose={() => open(false)} onPublished={onPublished} /> : null}
    </Page>
  );
}

function PublishedNotice({ result }: { readonly result: PublishResult }) {
  const { t } = useTranslation();
  const { artifact, created, warnings } = result;
  return (
    <div className="mb-5">
      <Notice
        tone={warnings.length > 0 ? 'warn' : 'accent'}
        title={
          created
            ? t('artifacts.published', { title: artifact.title, version: artifact.version })
            : t('artifacts.unchanged', { title: artifact.title })
        }
        actions={
          <Link
            to="/artifacts/$artifactId"
            params={{ artifactId: artifact.id }}
            className="control-height inline-flex items-center text-accent underline underline-offset-2"
          >
            {t('artifacts.open')}
          </Link>
        }
      >
        {warnings.length === 0 ? undefined : (
          <ul className="list-disc ps-4">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

function ArtifactCard({ artifact }: { readonly artifact: Artifact }) {
  const { t, i18n } = useTranslation();
  return (
    <li className="group relative flex flex-col rounded-2xl border border-line bg-raised p-4 shadow-card transition-[border-color,box-shadow] hover:border-accent-line hover:shadow-float">
      <div className="flex items-start justify-between gap-3">
        <span className="grid size-9 place-items-center rounded-[0.625rem] bg-accent-soft text-accent">
          <FileCode2 aria-hidden className="size-4.5" strokeWidth={1.8} />
        </span>
        {artifact.demo ? <Tag>{t('artifacts.demo')}</Tag> : null}
      </div>
      <h2 className="mt-3 min-w-0">
        <Link
          to="/artifacts/$artifactId"
          params={{ artifactId: artifact.id }}
          dir="auto"
          className="line-clamp-2 font-semibold [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-2xl"
        >
          {artifact.title}
        </Link>
      </h2>
      <p className="mt-1 flex-1 text-xs text-ink-soft">
        {artifact.servers.length === 0
          ? t('artifacts.usesNothing')
          : t('artifacts.uses', { connectors: artifact.servers.map(({ name }) => name).join(', ') })}
      </p>
      <p className="mt-3 text-2xs text-ink-faint">
        {t('artifacts.version', {
          version: artifact.version,
          date: formatDate(artifact.updatedAtMs, i18n.language),
        })}
      </p>
    </li>
  );
}
