export interface ImageFacts {
  /** Type by the bytes, whatever the server says. */
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** First bytes that are looked at; a JPEG's size may stand behind long metadata. */
const MAX_HEAD_BYTES = 512 * 1024;

/** Type and size of an image in base64, read from its first bytes; undefined for anything else. */
export function readImageFacts(base64: string): ImageFacts | undefined {
  const bytes = decodeHead(base64);
  if (bytes === undefined || bytes.length < 26) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
}

function decodeHead(base64: string): Uint8Array | undefined {
  const head = base64.slice(0, Math.ceil(MAX_HEAD_BYTES / 3) * 4).replaceAll(/\s/g, '');
  try {
    const binary = atob(head.slice(0, head.length - (head.length % 4)));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readPng(view: DataView): ImageFacts | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageFacts | undefined {
  if (view.getUint32(0) !== 0x47494638) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageFacts | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250 || view.byteLength < 30)
    return undefined;
  const type = 'image/webp' as const;
  switch (view.getUint32(12)) {
    case 0x56503820: // lossy
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // lossless
      const bits = view.getUint32(21, true);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // extended
      return { type, width: readUint24(view, 24) + 1, height: readUint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

const readUint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

function readJpeg(view: DataView): ImageFacts | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
