import type { McpUiDisplayMode } from '@portico/spec';

/** Bounds on the tools that one view offers. */
export interface AppToolLimits {
  /** More than this and none is offered. */
  readonly maxTools: number;
  /** Largest list, in UTF-16 units of its JSON text; more and none is offered. */
  readonly maxListLength: number;
  readonly maxNameLength: number;
  /** Largest input schema, in UTF-16 units of its JSON text; a larger one is replaced. */
  readonly maxSchemaLength: number;
  /** Deepest input schema, in levels; a deeper one is replaced. */
  readonly maxSchemaDepth: number;
  /** How long a view may take over one call, in milliseconds. */
  readonly callTimeoutMs: number;
}

/** A named set of host rules. */
export interface Profile {
  readonly id: 'open' | 'claude';
  /** Modes that a host of this profile can offer at all. */
  readonly displayModes: readonly McpUiDisplayMode[];
  /** Schemes of links that the person can be asked about, with the colon. */
  readonly linkSchemes: readonly string[];
  /** Whether a view may declare `http:` and `ws:` origins, which local development needs. */
  readonly plainHttpOrigins: boolean;
  readonly messages: {
    /** Whether blocks other than text are refused. */
    readonly textOnly: boolean;
    /** Longest message: all block texts joined by one character, in UTF-16 units. */
    readonly maxLength: number;
  };
  readonly appTools: AppToolLimits;
}

const APP_TOOLS: AppToolLimits = {
  maxTools: 64,
  maxListLength: 1_048_576,
  maxNameLength: 128,
  maxSchemaLength: 65_536,
  maxSchemaDepth: 32,
  callTimeoutMs: 45_000,
};

/**
 * `claude` is as strict as the published host rules; `open` keeps what protects the person and
 * lifts what only limits who may use a feature.
 */
export const PROFILES: Readonly<Record<Profile['id'], Profile>> = {
  open: {
    id: 'open',
    displayModes: ['inline', 'fullscreen'],
    linkSchemes: ['https:', 'http:', 'mailto:'],
    plainHttpOrigins: true,
    messages: { textOnly: false, maxLength: 8_000 },
    appTools: APP_TOOLS,
  },
  claude: {
    id: 'claude',
    displayModes: ['inline', 'fullscreen'],
    linkSchemes: ['https:', 'http:', 'mailto:'],
    plainHttpOrigins: false,
    messages: { textOnly: true, maxLength: 8_000 },
    appTools: APP_TOOLS,
  },
};
