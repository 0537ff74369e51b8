/** A capability that is declared by being there; settings may be inside. */
export type CapabilityFlag = { [key: string]: unknown };

export interface ClientCapabilities {
  experimental?: { [key: string]: CapabilityFlag };
  roots?: { listChanged?: boolean };
  sampling?: { context?: CapabilityFlag; tools?: CapabilityFlag };
  /** An empty object means form mode. */
  elicitation?: { form?: CapabilityFlag; url?: CapabilityFlag };
  /** Revision 2025-11-25 only. */
  tasks?: {
    list?: CapabilityFlag;
    cancel?: CapabilityFlag;
    requests?: {
      sampling?: { createMessage?: CapabilityFlag };
      elicitation?: { create?: CapabilityFlag };
    };
  };
  /** Extension id to its settings. */
  extensions?: { [id: string]: CapabilityFlag };
}

export interface ServerCapabilities {
  experimental?: { [key: string]: CapabilityFlag };
  logging?: CapabilityFlag;
  completions?: CapabilityFlag;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  /** Revision 2025-11-25 only. */
  tasks?: {
    list?: CapabilityFlag;
    cancel?: CapabilityFlag;
    requests?: { tools?: { call?: CapabilityFlag } };
  };
  /** Extension id to its settings. */
  extensions?: { [id: string]: CapabilityFlag };
}
