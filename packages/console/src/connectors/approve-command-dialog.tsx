import type { CommandPreview, Connector } from '@portico/api';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { showHidden } from '../ui/visible-text.ts';

export interface ApproveCommandDialogProps {
  readonly connector: Connector;
  readonly preview: CommandPreview;
  readonly onClose: () => void;
  readonly onApproved: (connector: Connector) => void;
}

/** Shows a command whole before it first runs. Focus starts on the command, never on the approval. */
export function ApproveCommandDialog({ connector, preview, onClose, onApproved }: ApproveCommandDialogProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const action = useAction();
  const command = useRef<HTMLDivElement>(null);
  const approve = async (): Promise<void> => onApproved(await api.approveCommand(connector.id, preview.hash));
  return (
    <Dialog
      open
      onClose={onClose}
      size="medium"
      dismissible={false}
      title={t('connectors.approveTitle', { name: connector.name })}
      description={t('connectors.approveHint')}
      initialFocus={() => command.current}
      footer={
        <>
          <Button onClick={onClose}>{t('connectors.approveLater')}</Button>
          <Button
            look="primary"
            icon={ShieldCheck}
            busy={action.busy}
            onClick={() => void action.run(approve)}
          >
            {t('connectors.approveNow')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div
          ref={command}
          tabIndex={0}
          role="group"
          aria-label={t('connectors.approveCommand')}
          className="rounded-xl border border-line bg-surface px-4 py-3.5"
        >
          <CommandFacts preview={preview} />
        </div>
        {preview.resolvedPath === null ? (
          <Notice
            tone="warn"
            title={t('connectors.approveNotFound', { command: showHidden(preview.command) })}
          >
            {t('connectors.approveNotFoundHint')}
          </Notice>
        ) : null}
        <p className="text-xs text-ink-faint">{t('connectors.approveRisk')}</p>
        <ActionError error={action.error} />
      </div>
    </Dialog>
  );
}

function CommandFacts({ preview }: { readonly preview: CommandPreview }) {
  const { t } = useTranslation();
  return (
    <dl className="flex flex-col gap-3">
      <Fact label={t('connectors.approveProgram')}>
        <Exact text={preview.resolvedPath ?? preview.command} />
      </Fact>
      <Fact label={t('connectors.arguments')}>
        {preview.args.length === 0 ? (
          <span className="text-xs text-ink-faint">{t('connectors.noArguments')}</span>
        ) : (
          <ol className="flex flex-col gap-1">
            {preview.args.map((argument, index) => (
              // Arguments have no identity besides their place.
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes
              <li key={index} className="grid grid-cols-[1.75rem_1fr] items-baseline">
                <span aria-hidden className="text-2xs tabular-nums text-ink-faint">
                  {index + 1}
                </span>
                <Exact text={argument} />
              </li>
            ))}
          </ol>
        )}
      </Fact>
      <Fact label={t('connectors.folder')}>
        <Exact text={preview.cwd} />
      </Fact>
      <Fact label={t('connectors.environment')}>
        {preview.envNames.length === 0 ? (
          <span className="text-xs text-ink-faint">{t('connectors.noEnvironment')}</span>
        ) : (
          <span className="flex flex-wrap gap-1.5">
            {preview.envNames.map((name) => (
              <Exact key={name} text={name} />
            ))}
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 text-2xs font-medium text-ink-faint">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Text as it is, all of it, with characters that do not show written out. */
function Exact({ text }: { readonly text: string }) {
  return (
    <code className="block w-fit max-w-full rounded-md bg-sunken px-1.5 py-0.5 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text === '' ? '""' : showHidden(text)}
    </code>
  );
}
