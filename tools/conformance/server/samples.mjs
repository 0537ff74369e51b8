// @ts-check
/** A red-green-blue pixel as PNG, base64. */
export const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQSDgAAAHkAUGcFuGgAAAAAElFTkSuQmCC';

/** Four samples of silence as WAV, base64. */
export const SILENCE_WAV = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA';

/**
 * A tool result of one text.
 * @param {string} text
 */
export const said = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });
