import type { McpUiDisplayMode } from '@portico/spec';
import type { ViewsError } from '../errors.ts';

/** Above what pages commonly stack. */
const ON_TOP = '2147483000';

/** Names of styles and what they are set to. */
type Styles = Readonly<Record<string, string>>;

const FREE: Styles = {
  position: '',
  inset: '',
  width: '100%',
  height: '',
  maxWidth: '',
  zIndex: '',
  background: '',
};

/**
 * Shows the place of a view in a mode. Styles are set one by one, which the strictest policy allows,
 * and nothing moves in the document, since a frame that moves loads again.
 */
export function applyDisplayMode(place: HTMLElement, mode: McpUiDisplayMode, inlineMaxWidthPx: number): void {
  const shown: Readonly<Record<McpUiDisplayMode, Styles>> = {
    inline: { maxWidth: `${inlineMaxWidthPx}px` },
    fullscreen: { position: 'fixed', inset: '0', height: '100%', zIndex: ON_TOP, background: 'Canvas' },
    pip: {
      position: 'fixed',
      inset: 'auto 16px 16px auto',
      width: 'min(360px, calc(100% - 32px))',
      height: '270px',
      zIndex: ON_TOP,
      background: 'Canvas',
    },
  };
  Object.assign(place.style, { display: 'flex', flexDirection: 'column', ...FREE, ...shown[mode] });
}

/** The way back out of a mode that covers the page, which the view itself cannot take away. */
export function createExitButton(ownerDocument: Document, onExit: () => void): HTMLButtonElement {
  const button = ownerDocument.createElement('button');
  button.type = 'button';
  button.hidden = true;
  Object.assign(button.style, {
    alignSelf: 'flex-end',
    margin: '8px',
    padding: '6px 12px',
    minHeight: '44px',
  });
  button.addEventListener('click', onExit);
  return button;
}

/** Of a reason that a server gave, in UTF-16 units. */
const MAX_REASON_LENGTH = 300;

function reasonOf({ data }: ViewsError): string {
  if ('refusal' in data) return data.refusal.reason;
  return 'reason' in data ? data.reason : '';
}

/** Says in words what went wrong, as text and never as markup: parts of it come from a server. */
export function createAlert(ownerDocument: Document, error: ViewsError): HTMLElement {
  const alert = ownerDocument.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.textContent = `${error.message} ${reasonOf(error).slice(0, MAX_REASON_LENGTH)}`.trim();
  return alert;
}
