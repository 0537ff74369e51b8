import type { ToolAnnotations } from '@portico/spec';
import { useTranslation } from 'react-i18next';

const HINTS = [
  ['readOnlyHint', true, 'readOnly'],
  ['destructiveHint', true, 'destructive'],
  ['idempotentHint', true, 'idempotent'],
  ['openWorldHint', true, 'openWorld'],
  ['readOnlyHint', false, 'writes'],
  ['destructiveHint', false, 'notDestructive'],
] as const;

/** What the server says about a tool, as its own unverified words. */
export function ToolHints({
  annotations,
}: {
  readonly annotations: Readonly<Record<string, unknown>> | ToolAnnotations | undefined;
}) {
  const { t } = useTranslation();
  const said = HINTS.filter(([hint, value]) => annotations?.[hint] === value);
  if (said.length === 0) return <p className="text-xs text-ink-faint">{t('hints.none')}</p>;
  return (
    <ul className="flex flex-col gap-0.5 text-xs text-ink-soft">
      {said.map(([, , key]) => (
        <li key={key}>{t(`hints.${key}`)}</li>
      ))}
    </ul>
  );
}
