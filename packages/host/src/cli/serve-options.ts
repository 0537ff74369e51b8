/** What `portico serve` was asked for. */
export interface ServeOptions {
  readonly data?: string;
  readonly port?: number;
  /** False: never open a browser. */
  readonly open: boolean;
}
