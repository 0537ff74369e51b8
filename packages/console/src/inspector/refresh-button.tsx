import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { useRefresh } from './use-refresh.ts';
import type { ListName } from './use-refresh.ts';

export interface RefreshButtonProps {
  readonly connectorId: string;
  readonly lists: readonly ListName[];
}

/** Reads lists once more, for servers that do not tell of their changes. */
export function RefreshButton({ connectorId, lists }: RefreshButtonProps) {
  const { t } = useTranslation();
  const refresh = useRefresh(connectorId, lists);
  return (
    <Button
      look="quiet"
      icon={RefreshCw}
      busy={refresh.busy}
      disabled={!refresh.possible}
      onClick={refresh.run}
      className="px-2.5 text-xs"
    >
      {t('inspector.refresh')}
    </Button>
  );
}
