/** What `data` holds for each local error code of this package. */
export interface ViewsErrorData {
  /** The resource was read, but is no document that can be shown. */
  not_a_view: { refusal: Refusal };
  /** The server did not hand out the view's resource. */
  resource_unreadable: { uri: string; reason: string };
  /** The page's own policy keeps scripts of a frame without an origin of its own from running. */
  sandbox_blocked: Record<string, never>;
  /** The sandbox would share the origin of the page, or is no page of the web. */
  unsafe_sandbox: { url: string };
  /** A value that goes into a header or document could end its place there. */
  unsafe_value: { name: string; value: string };
  /** The view has no app tools that could be called, or not this one. */
  unknown_app_tool: { name: string };
  /** Something here failed while the view was being opened; `cause` is what. */
  view_failed: { reason: string };
  /** The view has not reported that it is ready, or is gone. */
  view_not_ready: { status: string };
  /** The view has not reported in time that it is initialized. */
  view_silent: { timeoutMs: number };
}

export type ViewsErrorCode = keyof ViewsErrorData;

export const VIEWS_ERRORS: Readonly<Record<ViewsErrorCode, string>> = {
  not_a_view: 'The resource is no view.',
  resource_unreadable: 'The view could not be read from its server.',
  sandbox_blocked:
    'The policy of this page lets no script of a view run here; give the view a sandbox on another origin.',
  unsafe_sandbox: 'A sandbox has to be a page of another origin, reached by http or https.',
  unsafe_value: 'A value cannot stand where it is needed.',
  unknown_app_tool: 'The view offers no tool of this name.',
  view_failed: 'The view could not be opened.',
  view_not_ready: 'The view is not open or not ready.',
  view_silent: 'The view did not start in time.',
};

/** A failure on this side; never sent to a view as such. */
export class ViewsError<Code extends ViewsErrorCode = ViewsErrorCode> extends Error {
  override readonly name: string = 'ViewsError';
  readonly code: Code;
  readonly data: ViewsErrorData[Code];

  /** @param code which failure, see {@link VIEWS_ERRORS}; @param data what belongs to it */
  constructor(code: Code, data: ViewsErrorData[Code], options?: ErrorOptions) {
    super(VIEWS_ERRORS[code], options);
    this.code = code;
    this.data = data;
  }
}

/** Something a view asked for, or brought with it, that a host rule does not allow. */
export interface Refusal {
  /** Row of the rule list, such as `apps-P3`. */
  readonly ruleId: string;
  /** One sentence for the view's author. */
  readonly reason: string;
  /** What was refused: a tool, an address, a method. */
  readonly subject?: string;
}
