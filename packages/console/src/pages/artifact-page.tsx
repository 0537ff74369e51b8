import type { Artifact, FrameSession } from '@portico/api';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChevronRight, Ellipsis, PanelRight, RotateCw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ArtifactDetails } from '../artifacts/artifact-details.tsx';
import { IsolationNote } from '../embed/isolation-note.tsx';
import { toConsoleError } from '../errors.ts';
import { Page } from '../shell/page.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { useConsole, useHost } from '../state/console-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Menu } from '../ui/menu.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import type { Action } from '../ui/use-action.ts';
import { MissingPage } from './missing-page.tsx';

const ArtifactView = lazy(async () => ({
  default: (await import('../embed/artifact-view.tsx')).ArtifactView,
}));

export function ArtifactPage() {
  const { artifactId = '' } = useParams({ strict: false });
  const artifact = useHost((state) => state.artifacts[artifactId]);
  return artifact === undefined ? <MissingPage /> : <KnownArtifact key={artifact.id} artifact={artifact} />;
}

function KnownArtifact({ artifact }: { readonly artifact: Artifact }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { details = false } = useSearch({ strict: false });
  const [round, setRound] = useState(0);
  const action = useAction();
  const reload = (): void => setRound(round + 1);
  const showDetails = (wanted: boolean): void =>
    void navigate({
      to: '/artifacts/$artifactId',
      params: { artifactId: artifact.id },
      search: wanted ? { details: true } : {},
      replace: true,
    });
  return (
    <Page
      title={artifact.title}
      layout="fill"
      above={<ParentLink />}
      actions={
        <>
          <IconButton label={t('artifacts.reload')} icon={RotateCw} onClick={reload} />
          <IconButton
            label={t('artifacts.details')}
            icon={PanelRight}
            aria-pressed={details}
            onClick={() => showDetails(!details)}
          />
          {artifact.demo ? null : <ArtifactMenu artifact={artifact} action={action} />}
        </>
      }
      panel={
        details ? (
          <SidePanel title={t('artifacts.detailsTitle')} onClose={() => showDetails(false)}>
            <ArtifactDetails artifact={artifact} />
          </SidePanel>
        ) : undefined
      }
    >
      <div className="p-4 empty:hidden">
        <ActionError error={action.error} />
      </div>
      <OpenArtifact key={`${round} ${artifact.version}`} artifact={artifact} onRetry={reload} />
    </Page>
  );
}

function ArtifactMenu({ artifact, action }: { readonly artifact: Artifact; readonly action: Action }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { api } = useConsole();
  const [deleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    await api.removeArtifact(artifact.id);
    await navigate({ to: '/artifacts' });
  };
  return (
    <>
      <Menu
        items={[
          { label: t('artifacts.delete'), icon: Trash2, danger: true, onSelect: () => setDeleting(true) },
        ]}
      >
        <IconButton label={t('artifacts.more')} icon={Ellipsis} />
      </Menu>
      <ConfirmDialog
        open={deleting}
        title={t('artifacts.deleteTitle', { title: artifact.title })}
        description={t('artifacts.deleteHint')}
        confirmLabel={t('artifacts.delete')}
        onConfirm={() => void action.run(remove)}
        onClose={() => setDeleting(false)}
      />
    </>
  );
}

function ParentLink() {
  const { t } = useTranslation();
  return (
    <>
      <Link to="/artifacts" className="text-sm text-ink-faint hover:text-ink narrow:hidden">
        {t('shell.artifacts')}
      </Link>
      <ChevronRight
        aria-hidden
        className="-mx-1 size-3.5 shrink-0 text-ink-faint rtl:-scale-x-100 narrow:hidden"
      />
    </>
  );
}

function OpenArtifact({ artifact, onRetry }: { readonly artifact: Artifact; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const { session, problem } = useFrameSession(artifact.id);
  const [slow, setSlow] = useState(false);
  if (problem !== undefined) {
    return (
      <div className="mx-auto w-full max-w-3xl p-6">
        <Failure title={t('artifacts.openFailed')} message={problem} onRetry={onRetry} />
      </div>
    );
  }
  if (session === undefined) return <Loading label={t('artifacts.opening')} />;
  return (
    <Suspense fallback={<Loading label={t('artifacts.opening')} />}>
      <IsolationNote />
      {slow && artifact.servers.length > 0 ? (
        <p role="status" className="border-b border-line bg-sunken px-5 py-2 text-xs text-ink-soft">
          {t('artifacts.noHandshake')}
        </p>
      ) : null}
      <ArtifactView
        session={session}
        artifact={artifact}
        onState={(state) => setSlow(state.status === 'failed')}
      />
    </Suspense>
  );
}

/** Opens one instance of the artifact for as long as the page shows it. */
function useFrameSession(artifactId: string) {
  const { api, isolation } = useConsole();
  const [outcome, setOutcome] = useState<{ session?: FrameSession; problem?: string }>({});
  useEffect(() => {
    let left = false;
    let frameId: string | undefined;
    const close = (): void => {
      // The host drops it by itself sooner or later; a failed goodbye harms nobody.
      if (frameId !== undefined) api.closeFrame(frameId).catch(() => undefined);
    };
    const open = async (): Promise<void> => {
      try {
        const session = await api.openFrame({ artifactId, opaque: await isolation.isOpaque() });
        frameId = session.frameId;
        if (left) return close();
        setOutcome({ session });
      } catch (thrown) {
        if (!left) setOutcome({ problem: toConsoleError(thrown).message });
      }
    };
    void open();
    return () => {
      left = true;
      close();
    };
  }, [api, isolation, artifactId]);
  return outcome;
}
