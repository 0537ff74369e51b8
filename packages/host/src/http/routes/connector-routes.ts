import {
  ROUTES,
  accountInputSchema,
  approveCommandSchema,
  connectorInputSchema,
  enableConnectorSchema,
  importTextSchema,
  relabelSchema,
  splitCommandSchema,
} from '@portico/api';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { ConnectorService } from '../../gateway/connector-service.ts';
import { splitCommandLine } from '../../gateway/split-command-line.ts';
import { readBody } from '../request-body.ts';

/** Routes of connectors: what they are, and what one does with them. */
export function addConnectorRoutes(app: Hono, connectors: ConnectorService): void {
  app.get(ROUTES.connectors, (context) => context.json({ connectors: connectors.list() }));
  app.post(ROUTES.connectors, async (context) =>
    context.json(await connectors.create(await readBody(context, connectorInputSchema))),
  );
  app.post(ROUTES.connectorImport, async (context) => {
    const { text } = await readBody(context, importTextSchema);
    return context.json({ entries: connectors.previewImport(text) });
  });
  app.post(ROUTES.splitCommand, async (context) => {
    const { line } = await readBody(context, splitCommandSchema);
    return context.json(splitCommandLine(line));
  });
  app.put(ROUTES.connector, async (context) => {
    const input = await readBody(context, connectorInputSchema);
    return context.json(await connectors.update(context.req.param('connectorId'), input));
  });
  app.delete(ROUTES.connector, async (context) => {
    await connectors.remove(context.req.param('connectorId'));
    return context.body(null, 204);
  });
  app.post(ROUTES.connectorAccounts, async (context) => {
    const account = await readBody(context, accountInputSchema);
    return context.json(await connectors.addAccount(context.req.param('connectorId'), account));
  });
  app.put(ROUTES.connectorLabel, async (context) => {
    const { label } = await readBody(context, relabelSchema);
    return context.json(await connectors.relabel(context.req.param('connectorId'), label));
  });
  app.put(ROUTES.connectorEnabled, async (context) => {
    const { enabled } = await readBody(context, enableConnectorSchema);
    return context.json(await connectors.setEnabled(context.req.param('connectorId'), enabled));
  });
  app.post(ROUTES.connectorApproval, async (context) => {
    const { hash } = await readBody(context, approveCommandSchema);
    return context.json(await connectors.approve(context.req.param('connectorId'), hash));
  });
  app.post(ROUTES.connectorReconnect, async (context) => {
    await readBody(context, z.object({}));
    return context.json(await connectors.reconnect(context.req.param('connectorId')));
  });
  app.get(ROUTES.connectorTools, (context) =>
    context.json({ tools: connectors.tools(context.req.param('connectorId')) }),
  );
}
