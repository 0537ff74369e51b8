// @ts-check
// Plays one of the suite's client scenarios against the server whose address comes last.
import { TURNSTILE_PORT, passTurnstile } from '../turnstile.mjs';
import { CLIENT_DONE } from '../verdict.mjs';

const [address] = process.argv.slice(-1);
const { MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_CONTEXT: context } = process.env;
await passTurnstile(process.env[TURNSTILE_PORT]);
try {
  const { scenarioOf } = await import('./scenarios.mjs');
  await scenarioOf(name)({
    url: new URL(String(address)),
    version: process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '',
    context: context === undefined ? {} : JSON.parse(context),
  });
  console.log(CLIENT_DONE);
  process.exitCode = 0;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
