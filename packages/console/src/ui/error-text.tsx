import { useTranslation } from 'react-i18next';
import type { ConsoleError } from '../errors.ts';
import { Notice } from './notice.tsx';

/** The failure of an action, said beside it. */
export function ActionError({ error }: { readonly error: ConsoleError | undefined }) {
  const { t } = useTranslation();
  if (error === undefined) return null;
  const own =
    error.code === 'unreachable' || error.code === 'bad_answer' ? t(`errors.${error.code}`) : error.message;
  return (
    <Notice tone="danger" alert title={own}>
      {error.issues.length === 0 ? undefined : (
        <ul className="list-disc ps-4">
          {error.issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
