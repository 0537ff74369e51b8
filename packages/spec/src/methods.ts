/** Who may send a message. */
export type Sender = 'client' | 'server' | 'both';

/** What the table says about one method in one revision. */
export interface MethodRule {
  readonly kind: 'request' | 'notification';
  readonly sender: Sender;
  /** Capability, as a dotted path, that the server must have declared. */
  readonly serverCapability?: string;
  /** Capability, as a dotted path, that the client must have declared. */
  readonly clientCapability?: string;
  /** Param whose value the `Mcp-Name` header repeats. */
  readonly nameParam?: string;
  /** Whether the modern answer carries cache hints. */
  readonly cacheable?: boolean;
  /** Whether the modern answer may ask for more input first. */
  readonly mayRequireInput?: boolean;
  /** Whether the modern answer may be a task, where both sides declare that extension. */
  readonly mayBecomeTask?: boolean;
  /** Whether the request stays open for as long as the client wants. */
  readonly longLived?: boolean;
  /** Whether it may never be cancelled. */
  readonly uncancellable?: boolean;
}

export type MethodTable = Readonly<Record<string, MethodRule>>;

/** The rule of a method, safe against names such as `constructor`. */
export function lookUp(table: MethodTable, name: string): MethodRule | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
