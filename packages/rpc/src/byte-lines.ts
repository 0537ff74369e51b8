/** Line feed. */
export const LF = 0x0a;
/** Carriage return. */
const CR = 0x0d;

/** Which bytes end a line: a line feed alone, or CR, LF and CRLF alike as in event streams. */
export type LineEnds = 'lf' | 'any';

/** What {@link ByteLines} tells its owner. */
export interface LineSink {
  /** One line without its end. The bytes are valid during the call only. */
  line(bytes: Uint8Array): void;
  /** The line passes the limit; the rest of it is skipped. Told once a line. */
  overflow(): void;
}

/**
 * Cuts chunks of bytes into lines. Each byte is scanned once and copied at most twice however the
 * chunks fall, and never more than the limit is held.
 */
export class ByteLines {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  readonly #anyEnd: boolean;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  #skipping = false;
  /** The last chunk ended in CR, so that an LF at the start of the next belongs to it. */
  #afterCr = false;

  constructor(sink: LineSink, maxLineBytes: number, ends: LineEnds) {
    this.#sink = sink;
    this.#maxLineBytes = maxLineBytes;
    this.#anyEnd = ends === 'any';
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Whether the next byte goes on with a line that has begun. */
  get isMidLine(): boolean {
    return this.#heldBytes > 0 || this.#skipping;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#afterCr && chunk.length > 0) {
      this.#afterCr = false;
      if (chunk[0] === LF) start = 1;
    }
    let lf = chunk.indexOf(LF, start);
    let cr = this.#anyEnd ? chunk.indexOf(CR, start) : -1;
    while (lf >= 0 || cr >= 0) {
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
      if (end === cr) {
        if (start === chunk.length) this.#afterCr = true;
        else if (chunk[start] === LF) start += 1;
        cr = chunk.indexOf(CR, start);
      }
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Delivers what stands after the last line end, if anything. */
  end(): void {
    if (this.#heldBytes > 0) this.#finish(new Uint8Array(0));
    this.#skipping = false;
  }

  #finish(tail: Uint8Array): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (this.#heldBytes + tail.length > this.#maxLineBytes) {
      this.#drop();
      this.#sink.overflow();
      return;
    }
    if (this.#heldBytes === 0) {
      this.#sink.line(tail);
      return;
    }
    if (tail.length > 0) this.#pieces.push(tail);
    const line = join(this.#pieces, this.#heldBytes + tail.length);
    this.#drop();
    this.#sink.line(line);
  }

  #hold(rest: Uint8Array): void {
    if (this.#skipping) return;
    if (this.#heldBytes + rest.length > this.#maxLineBytes) {
      this.#drop();
      this.#skipping = true;
      this.#sink.overflow();
      return;
    }
    // The chunk may be a view into a buffer that its owner uses again.
    this.#pieces.push(rest.slice());
    this.#heldBytes += rest.length;
  }

  #drop(): void {
    this.#pieces = [];
    this.#heldBytes = 0;
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
