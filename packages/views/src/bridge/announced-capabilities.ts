import type { McpUiHostCapabilities } from '@portico/spec';
import type { ViewBridgeOptions } from './view-bridge.ts';

/** What the handlers that are there amount to. */
function ofHandlers({ host, profile, sandbox }: ViewBridgeOptions): McpUiHostCapabilities {
  const blocks = profile.messages.textOnly
    ? { text: {} }
    : { text: {}, image: {}, resource: {}, resourceLink: {} };
  return {
    ...(host.serverRequest === undefined
      ? {}
      : { serverTools: { listChanged: true }, serverResources: { listChanged: true } }),
    logging: {},
    ...(host.openLink === undefined ? {} : { openLinks: {} }),
    ...(host.downloadFiles === undefined ? {} : { downloadFile: {} }),
    ...(host.sendMessage === undefined ? {} : { message: blocks }),
    ...(host.updateModelContext === undefined
      ? {}
      : { updateModelContext: { text: {}, image: {}, resource: {}, structuredContent: {} } }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

/** What a view is told that this host can do: nothing that nobody would answer. */
export function announcedCapabilities(options: ViewBridgeOptions): McpUiHostCapabilities {
  const able = ofHandlers(options);
  const worded = Object.entries(options.hostCapabilities ?? {}).filter(
    ([name, value]) => value !== undefined && (name === 'experimental' || Object.hasOwn(able, name)),
  );
  return { ...able, ...Object.fromEntries(worded) };
}
