import { useMcpServer } from '@portico/react';
import type { McpServer } from '@portico/react';
import { useTranslation } from 'react-i18next';
import { Section } from '../connectors/tool-details.tsx';
import { JsonTree } from '../conversation/json-tree.tsx';
import { TextBlock } from '../conversation/text-block.tsx';

const instructionsOf = (server: McpServer | undefined): string | undefined => server?.instructions;
const capabilitiesOf = (server: McpServer | undefined) => server?.capabilities;

/** What a server says about its use, and what it says it can do. */
export function ServerFacts({ connectorId }: { readonly connectorId: string }) {
  const { t } = useTranslation();
  const instructions = useMcpServer(connectorId, instructionsOf);
  const capabilities = useMcpServer(connectorId, capabilitiesOf);
  return (
    <>
      {instructions === undefined ? null : (
        <Section title={t('inspector.instructions')}>
          <div className="rounded-xl border border-line bg-raised px-4 py-3 text-ink-soft">
            <TextBlock text={instructions} isError={false} />
          </div>
        </Section>
      )}
      {capabilities === undefined ? null : (
        <Section title={t('inspector.capabilities')}>
          <JsonTree value={capabilities} label={t('inspector.capabilities')} openDepth={2} />
        </Section>
      )}
    </>
  );
}
