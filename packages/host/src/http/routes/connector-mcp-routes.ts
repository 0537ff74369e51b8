import { ROUTES } from '@portico/api';
import type { Hono } from 'hono';
import { ApiRefusal } from '../../api-refusal.ts';
import type { ConnectorService } from '../../gateway/connector-service.ts';
import type { ConnectorEndpoints } from '../../mcp/connector-endpoints.ts';
import { isJson } from '../request-body.ts';

export interface ConnectorMcpServices {
  readonly connectors: Pick<ConnectorService, 'get'>;
  readonly endpoints: ConnectorEndpoints;
}

/** The console's own way to each connector as an MCP server, behind the gates of all its routes. */
export function addConnectorMcpRoutes(app: Hono, { connectors, endpoints }: ConnectorMcpServices): void {
  app.on(['POST', 'GET', 'DELETE'], ROUTES.connectorMcp, async (context) => {
    const { method, raw } = context.req;
    if (method === 'POST' && !isJson(context)) {
      throw new ApiRefusal('not_json', 'The body must be sent as application/json.');
    }
    const { id } = connectors.get(context.req.param('connectorId'));
    return await endpoints.handle(id, raw);
  });
}
