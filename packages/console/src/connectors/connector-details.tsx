import type { Connector } from '@portico/api';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../i18n/format.ts';
import { causeText } from './problem-text.ts';
import { showHidden } from '../ui/visible-text.ts';

/** What is known about a connector; of secrets only that they are set. */
export function ConnectorDetails({ connector }: { readonly connector: Connector }) {
  const { t, i18n } = useTranslation();
  const { server, transport } = connector;
  return (
    <dl className="divide-y divide-line rounded-2xl border border-line bg-raised shadow-card">
      <Row label={t('connectors.state')}>
        {t(`connectors.status.${connector.status}`)}
        <p className="text-xs text-ink-faint">{causeText(t, connector)}</p>
      </Row>
      {server === undefined ? null : (
        <>
          <Row label={t('connectors.serverName')}>
            {server.title === undefined ? server.name : `${server.title} (${server.name})`}
          </Row>
          <Row label={t('connectors.serverVersion')}>{server.version}</Row>
          <Row label={t('connectors.protocol')}>
            {t(`connectors.era.${server.era}`, { version: server.protocolVersion })}
          </Row>
        </>
      )}
      {transport.kind === 'builtin' ? (
        <Row label={t('connectors.kind')}>{t('connectors.builtin')}</Row>
      ) : null}
      {transport.kind === 'http' ? (
        <>
          <Row label={t('connectors.address')}>
            <code className="[overflow-wrap:anywhere]">{showHidden(transport.url)}</code>
          </Row>
          <SecretNames label={t('connectors.headers')} names={transport.headerNames} />
        </>
      ) : null}
      {transport.kind === 'stdio' ? (
        <>
          <Row label={t('connectors.command')}>
            <ol className="flex flex-col gap-1">
              {[transport.command, ...transport.args].map((part, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- arguments have no identity besides their place
                <li key={index}>
                  <code className="[overflow-wrap:anywhere]">{showHidden(part)}</code>
                </li>
              ))}
            </ol>
          </Row>
          {transport.cwd === undefined ? null : (
            <Row label={t('connectors.folder')}>
              <code className="[overflow-wrap:anywhere]">{showHidden(transport.cwd)}</code>
            </Row>
          )}
          <SecretNames label={t('connectors.environment')} names={transport.envNames} />
        </>
      ) : null}
      {transport.kind === 'builtin' ? null : (
        <Row label={t('connectors.begins')}>{t(`connectors.starts.${connector.starts}`)}</Row>
      )}
      <AuthRows connector={connector} />
      <Row label={t('connectors.added')}>{formatDate(connector.createdAtMs, i18n.language)}</Row>
    </dl>
  );
}

/** How the account signs in: never a token. */
function AuthRows({ connector: { auth } }: { readonly connector: Connector }) {
  const { t, i18n } = useTranslation();
  if (auth === undefined) return null;
  const { issuer, scopes, expiresAtMs, clientId } = auth;
  return (
    <>
      <Row label={t('signIn.account')}>{auth.signedIn ? t('signIn.signedIn') : t('signIn.notSignedIn')}</Row>
      {auth.actsAs === 'application' ? (
        <Row label={t('signIn.actsAs')}>{t('signIn.theApplication')}</Row>
      ) : null}
      {issuer === undefined ? null : (
        <Row label={t('signIn.signedInAt')}>
          <code className="[overflow-wrap:anywhere]">{showHidden(issuer)}</code>
        </Row>
      )}
      {scopes.length === 0 ? null : (
        <Row label={t('signIn.scopes')}>
          <code className="[overflow-wrap:anywhere]">{showHidden(scopes.join(' '))}</code>
        </Row>
      )}
      {expiresAtMs === undefined ? null : (
        <Row label={t('signIn.until')}>{formatDate(expiresAtMs, i18n.language)}</Row>
      )}
      {clientId === undefined ? null : (
        <Row label={t('signIn.identity')}>
          <code className="[overflow-wrap:anywhere]">{showHidden(clientId)}</code>
        </Row>
      )}
    </>
  );
}

function SecretNames({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) return null;
  return (
    <Row label={label}>
      <ul className="flex flex-col gap-1">
        {names.map((name) => (
          <li key={name} className="flex items-baseline gap-2">
            <code className="[overflow-wrap:anywhere]">{showHidden(name)}</code>
            <span className="text-2xs text-ink-faint">{t('connectors.valueSet')}</span>
          </li>
        ))}
      </ul>
    </Row>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 px-4 py-3 text-sm md:grid-cols-[10rem_1fr]">
      <dt className="text-ink-faint">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
