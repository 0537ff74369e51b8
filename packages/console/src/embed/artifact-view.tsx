import type { Artifact, FrameSession } from '@portico/api';
import { ArtifactFrame } from '@portico/react/artifact';
import type { ArtifactFrameProps } from '@portico/react/artifact';
import { useMemo } from 'react';
import { useConsole } from '../state/console-context.tsx';
import type { ConsoleServices } from '../state/console-context.tsx';

export interface ArtifactViewProps {
  readonly session: FrameSession;
  /** The artifact as it is now, since grants change while it is open. */
  readonly artifact: Artifact;
  readonly onState: NonNullable<ArtifactFrameProps['onState']>;
}

/** The one place where artifacts plug in: session, gateway and consent go to the frame. */
export function ArtifactView({ session, artifact, onState }: ArtifactViewProps) {
  const services = useConsole();
  const { frameId } = session;
  const gateway = useMemo(() => createGateway(services, frameId), [services, frameId]);
  const live = useMemo(
    () => ({ ...session, artifact: { ...session.artifact, grants: artifact.grants } }),
    [session, artifact.grants],
  );
  return (
    <ArtifactFrame
      session={live}
      gateway={gateway}
      ask={(servers) => askConsent(services, artifact, servers)}
      onState={onState}
      className="min-h-0 flex-1 [&>iframe]:block [&>iframe]:size-full [&>iframe]:border-0"
    />
  );
}

function createGateway({ api }: ConsoleServices, frameId: string): ArtifactFrameProps['gateway'] {
  return {
    callTool: async (call, { signal }) =>
      (await api.frameCall(frameId, { ...call, input: { ...call.input } }, signal)) as Awaited<
        ReturnType<ArtifactFrameProps['gateway']['callTool']>
      >,
    listTools: async () =>
      (await api.frameTools(frameId)) as Awaited<ReturnType<ArtifactFrameProps['gateway']['listTools']>>,
  };
}

/** Asks the person and stores the answer with the host, which checks it again at every call. */
async function askConsent(
  { api, prompts }: ConsoleServices,
  artifact: Artifact,
  names: readonly string[],
): Promise<Readonly<Record<string, 'allow' | 'deny'>>> {
  const servers = names.map((name) => ({
    name,
    tools: artifact.servers.find((server) => server.name === name)?.tools ?? [],
  }));
  const answer = await prompts.ask({ kind: 'consent', artifact: artifact.title, servers });
  const decided: Record<string, 'allow' | 'deny'> = {};
  for (const name of names) {
    const decision = Object.hasOwn(answer, name) ? answer[name] : undefined;
    if (decision === undefined) continue;
    // The host has to know before the page's next call arrives there.
    // oxlint-disable-next-line no-await-in-loop -- a handful of connectors
    await api.setConsent(artifact.id, { server: name, decision });
    decided[name] = decision;
  }
  return decided;
}
