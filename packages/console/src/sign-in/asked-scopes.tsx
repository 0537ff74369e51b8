import type { ConnectorAuth } from '@portico/api';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showHidden } from '../ui/visible-text.ts';

export interface AskedScopesProps {
  readonly auth: ConnectorAuth;
}

/** What a server wants beyond what is granted, and why (K47): its texts, shown as such, with nothing hidden in them. */
export function AskedScopes({ auth: { asks, signedIn } }: AskedScopesProps) {
  const { t } = useTranslation();
  const labelId = useId();
  if (asks === undefined) return null;
  const { scopes, reason } = asks;
  return (
    <>
      {reason === undefined ? null : (
        <p className="mt-2 [overflow-wrap:anywhere]">{t('signIn.reason', { reason: showHidden(reason) })}</p>
      )}
      {scopes.length === 0 ? null : (
        <div className="mt-2 flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <span id={labelId} className="text-2xs font-medium text-ink-soft">
            {signedIn ? t('signIn.newScopes') : t('signIn.scopes')}
          </span>
          <ul aria-labelledby={labelId} className="flex flex-wrap gap-1.5">
            {scopes.map((scope) => (
              <li key={scope} className="rounded-md border border-line bg-surface px-1.5 py-0.5">
                <code className="text-xs text-ink [overflow-wrap:anywhere]">{showHidden(scope)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
