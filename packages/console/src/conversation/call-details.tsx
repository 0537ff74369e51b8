import type { ToolCall } from '@portico/api';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { Section } from '../connectors/tool-details.tsx';
import { ToolHints } from '../connectors/tool-hints.tsx';
import { formatDate } from '../i18n/format.ts';
import { useConsole } from '../state/console-context.tsx';
import type { ViewFacts } from '../state/view-facts.ts';
import { showHidden, showHiddenInLines } from '../ui/visible-text.ts';
import { JsonTree } from './json-tree.tsx';

/** Everything about one call, and about the view that shows it. */
export function CallDetails({ call }: { readonly call: ToolCall }) {
  const { t, i18n } = useTranslation();
  const { viewFacts } = useConsole();
  const facts = useStore(viewFacts.store, (all) => all[call.id]);
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact label={t('details.connector')} value={call.connectorName} />
        <Fact label={t('details.tool')} value={showHidden(call.tool)} />
        <Fact label={t('details.status')} value={t(`call.status.${call.status}`)} />
        <Fact label={t('details.origin')} value={t(`details.by.${call.origin}`)} />
        <Fact label={t('details.time')} value={formatDate(call.createdAtMs, i18n.language)} />
      </dl>
      {call.description === undefined ? null : (
        <Section title={t('approval.description')}>
          <p dir="auto" className="text-sm whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {showHiddenInLines(call.description)}
          </p>
        </Section>
      )}
      <Section title={t('approval.hints')}>
        <ToolHints annotations={call.annotations} />
      </Section>
      {facts === undefined || call.viewUri === undefined ? null : (
        <ViewDetails uri={call.viewUri} facts={facts} />
      )}
      <Section title={t('call.arguments')}>
        <JsonTree value={call.arguments} label={t('call.arguments')} openDepth={2} />
      </Section>
      {call.result === undefined ? null : (
        <Section title={t('details.rawResult')}>
          <JsonTree value={call.result} label={t('details.rawResult')} openDepth={1} />
        </Section>
      )}
    </div>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <>
      <dt className="text-ink-faint">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
    </>
  );
}

function ViewDetails({ uri, facts }: { readonly uri: string; readonly facts: ViewFacts }) {
  const { t } = useTranslation();
  const { session, appTools, refusals } = facts;
  const features = (session?.allow ?? '')
    .split(';')
    .map((part) => part.trim().split(' ')[0] ?? '')
    .filter((part) => part !== '');
  return (
    <>
      <Section title={t('details.view')}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <Fact
            label={t('details.viewState')}
            value={facts.reason ?? t(`details.viewStatus.${facts.status}`)}
          />
          {facts.appName === undefined ? null : (
            <Fact label={t('details.appName')} value={showHidden(facts.appName)} />
          )}
          <Fact label={t('details.resource')} value={showHidden(uri)} />
          {session === undefined ? null : <Fact label={t('details.viewOrigin')} value={session.origin} />}
          <Fact label={t('details.profile')} value={t('details.profileOpen')} />
          <Fact
            label={t('details.features')}
            value={features.length === 0 ? t('details.nothing') : features.join(', ')}
          />
        </dl>
        <GrantedOrigins facts={facts} />
      </Section>
      <Section title={t('details.appTools', { count: appTools.length })}>
        {appTools.length === 0 ? (
          <p className="text-xs text-ink-faint">{t('details.noAppTools')}</p>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line">
            {appTools.map((tool) => (
              <li key={tool.name} className="px-3 py-2">
                <code className="text-xs font-medium">{tool.name}</code>
                <p className="mt-0.5 text-xs text-ink-soft">{showHiddenInLines(tool.description)}</p>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('details.refusals')}>
        {refusals.length === 0 ? (
          <p className="text-xs text-ink-faint">{t('details.noRefusals')}</p>
        ) : (
          <ul className="flex flex-col gap-1.5 text-xs text-ink-soft">
            {refusals.map((refusal, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same refusal may happen again
              <li key={index}>
                <code className="me-1.5 text-warn">{refusal.ruleId}</code>
                {refusal.reason}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** Other places that the view may load from or speak to, as its server asked and the host allowed. */
function GrantedOrigins({ facts }: { readonly facts: ViewFacts }) {
  const { t } = useTranslation();
  const granted = Object.entries(facts.session?.grantedOrigins ?? {}).filter(
    ([, origins]) => origins.length > 0,
  );
  if (facts.session?.grantedOrigins === undefined) return null;
  return (
    <div className="mt-2">
      <p className="text-sm text-ink-faint">{t('details.grantedOrigins')}</p>
      {granted.length === 0 ? (
        <p className="text-xs text-ink-soft">{t('details.noOrigins')}</p>
      ) : (
        <ul className="mt-1 flex flex-col gap-1 text-xs">
          {granted.map(([kind, origins]) => (
            <li key={kind}>
              <code className="text-ink-faint">{kind}</code> {origins.map(showHidden).join(', ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
