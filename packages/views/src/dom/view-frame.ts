import { OPAQUE_VIEW_SANDBOX, VIEW_SANDBOX } from '../sandbox/documents.ts';

/** Smallest and largest height that a view may choose, in CSS pixels. */
export interface HeightBounds {
  readonly minPx: number;
  readonly maxPx: number;
}

/** Newer browsers move an element without reloading what it shows. */
interface LiveMoving {
  moveBefore?(node: Node, before: Node | null): void;
}

/** What the outer frame of a view shows. */
export interface FrameContent {
  /** The document's address, or the document itself. */
  readonly from: { readonly url: string } | { readonly text: string };
  /** `opaque` where it is to have none of its own. */
  readonly origin: string;
  /** Browser features granted, as an `allow` attribute. */
  readonly allow: string;
}

/** The outer frame of a view. */
export function createViewFrame(
  ownerDocument: Document,
  content: FrameContent,
  title: string,
): HTMLIFrameElement {
  const element = ownerDocument.createElement('iframe');
  element.setAttribute('sandbox', content.origin === 'opaque' ? OPAQUE_VIEW_SANDBOX : VIEW_SANDBOX);
  element.setAttribute('allow', content.allow);
  element.setAttribute('referrerpolicy', 'no-referrer');
  element.title = title;
  if ('url' in content.from) element.src = content.from.url;
  else element.srcdoc = content.from.text;
  Object.assign(element.style, { display: 'block', width: '100%', border: '0' });
  return element;
}

/** Reports this near to the height in force are echoes of it, in CSS pixels. */
const ECHO_PX = 4;

/**
 * Gives the frame the height it asks for, within bounds. A view whose content depends on its
 * frame's height would otherwise grow or shrink by a pixel for ever.
 */
export function applyHeight(
  element: HTMLIFrameElement,
  height: number | undefined,
  bounds: HeightBounds,
): void {
  if (height === undefined) return;
  const wanted = Math.min(bounds.maxPx, Math.max(bounds.minPx, Math.ceil(height)));
  const current = Number.parseFloat(element.style.height);
  if (Math.abs(wanted - current) <= ECHO_PX) return;
  element.style.height = `${wanted}px`;
}

/**
 * Moves a frame, or what it stands in, with its live document, where the browser can.
 * @returns false when nothing was moved
 */
export function moveLive(element: Element, parent: Element): boolean {
  const target = parent as Element & LiveMoving;
  if (target.moveBefore === undefined || !element.isConnected || !parent.isConnected) return false;
  try {
    target.moveBefore(element, null);
    return true;
  } catch {
    return false;
  }
}

/** Calls back with each new width of an element; answers what stops it. */
export function watchWidth(element: HTMLElement, onWidth: (widthPx: number) => void): () => void {
  const view = element.ownerDocument.defaultView;
  if (view === null) return () => undefined;
  const observer = new view.ResizeObserver(() => {
    const width = Math.round(element.clientWidth);
    if (width > 0) onWidth(width);
  });
  observer.observe(element);
  return () => observer.disconnect();
}
