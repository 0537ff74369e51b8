import type { Artifact, Grant } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { Section } from '../connectors/tool-details.tsx';
import { formatDate } from '../i18n/format.ts';
import { useConsole } from '../state/console-context.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ActionError } from '../ui/error-text.tsx';
import { CONTROL_LOOK } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { showHidden } from '../ui/visible-text.ts';
import { ToolNames } from './tool-names.tsx';

const DECISIONS = ['ask', 'allow', 'deny'] as const satisfies readonly Grant['state'][];

/** What an artifact may do, changeable at any time. */
export function ArtifactDetails({ artifact }: { readonly artifact: Artifact }) {
  const { t, i18n } = useTranslation();
  const action = useAction();
  const address = `${window.location.origin}/artifacts/${encodeURIComponent(artifact.id)}`;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-ink-soft">
        {t('artifacts.version', {
          version: artifact.version,
          date: formatDate(artifact.updatedAtMs, i18n.language),
        })}
      </p>
      <Section title={t('artifacts.address')}>
        <div className="flex items-center gap-1">
          <code className="min-w-0 flex-1 text-xs [overflow-wrap:anywhere]">{address}</code>
          <CopyButton text={address} label={t('artifacts.copyAddress')} />
        </div>
      </Section>
      <Section title={t('artifacts.access')}>
        {artifact.servers.length === 0 ? (
          <p className="text-xs text-ink-faint">{t('artifacts.usesNothing')}</p>
        ) : null}
        <ul className="flex flex-col gap-3">
          {artifact.servers.map(({ name, tools }) => (
            <ServerAccess key={name} artifact={artifact} name={name} tools={tools} action={action} />
          ))}
        </ul>
      </Section>
      <ActionError error={action.error} />
    </div>
  );
}

interface ServerAccessProps {
  readonly artifact: Artifact;
  readonly name: string;
  readonly tools: readonly string[];
  readonly action: ReturnType<typeof useAction>;
}

function ServerAccess({ artifact, name, tools, action }: ServerAccessProps) {
  const { t } = useTranslation();
  const { api } = useConsole();
  const state = artifact.grants.find((grant) => grant.server === name)?.state ?? 'ask';
  const decide = (text: string): void => {
    const decision = DECISIONS.find((known) => known === text) ?? 'ask';
    void action.run(() => api.setConsent(artifact.id, { server: name, decision }));
  };
  return (
    <li className="rounded-xl border border-line bg-raised p-3">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-sm font-medium">{showHidden(name)}</span>
        <select
          aria-label={t('artifacts.accessOf', { connector: name })}
          value={state}
          onChange={({ target }) => decide(target.value)}
          className={`${CONTROL_LOOK} w-auto!`}
        >
          {DECISIONS.map((decision) => (
            <option key={decision} value={decision}>
              {t(`artifacts.grant.${decision}`)}
            </option>
          ))}
        </select>
      </div>
      <ToolNames tools={tools} />
    </li>
  );
}
