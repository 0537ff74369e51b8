export { createBroker } from './broker.ts';
export type { Broker, BrokerOptions } from './broker.ts';
export { createConsent } from './consent.ts';
export type { AskViewer, Consent, ConsentDecision, ConsentOptions } from './consent.ts';
export type { FrameGateway, GatewayCall, GatewayOutcome, ServerInfo } from './gateway.ts';
export type { FramePort } from './text-port-transport.ts';
export { DEFAULT_FRAME_LIMITS } from '../limits.ts';
export type { FrameLimits } from '../limits.ts';
