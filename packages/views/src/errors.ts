/** What `data` holds for each local error code of this package. */
export interface ViewsErrorData {
  /** A value that goes into a header or document could end its place there. */
  unsafe_value: { name: string; value: string };
  /** The view has no app tools that could be called, or not this one. */
  unknown_app_tool: { name: string };
  /** The view has not reported that it is ready, or is gone. */
  view_not_ready: { status: string };
}

export type ViewsErrorCode = keyof ViewsErrorData;

export const VIEWS_ERRORS: Readonly<Record<ViewsErrorCode, string>> = {
  unsafe_value: 'A value cannot stand where it is needed.',
  unknown_app_tool: 'The view offers no tool of this name.',
  view_not_ready: 'The view is not open or not ready.',
};

/** A failure on this side; never sent to a view as such. */
export class ViewsError<Code extends ViewsErrorCode = ViewsErrorCode> extends Error {
  override readonly name: string = 'ViewsError';
  readonly code: Code;
  readonly data: ViewsErrorData[Code];

  /** @param code which failure, see {@link VIEWS_ERRORS}; @param data what belongs to it */
  constructor(code: Code, data: ViewsErrorData[Code]) {
    super(VIEWS_ERRORS[code]);
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
