/** Bytes from a file, a response or a browser's file. */
export type ByteSource = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** No record is longer: its longest members are a user agent of 512 characters and the metadata of one event. */
const LINE_MAX_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Reads lines one at a time, in memory that does not depend on their number. */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #ended = false;

  constructor(source: ByteSource) {
    this.#chunks = chunksOf(source);
  }

  /**
   * The next line without its newline, or undefined at the end. Not a promise while the line is in memory. Throws a
   * SyntaxError for a line that is too long, is not UTF-8 or has no newline.
   */
  next(): string | undefined | Promise<string | undefined> {
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    if (end === -1) return this.#readMore();
    const line = this.#bytes.subarray(this.#at, end);
    this.#at = end + 1;
    try {
      return this.#decoder.decode(line);
    } catch {
      throw new SyntaxError("a line is not UTF-8");
    }
  }

  async #readMore(): Promise<string | undefined> {
    while (!this.#ended) {
      const rest = this.#bytes.subarray(this.#at);
      if (rest.length > LINE_MAX_BYTES) throw new SyntaxError("a line is too long");
      const { done, value } = await this.#chunks.next();
      this.#ended = done === true;
      if (!value || value.length === 0) continue;
      const joined = new Uint8Array(rest.length + value.length);
      joined.set(rest);
      joined.set(value, rest.length);
      [this.#bytes, this.#at] = [joined, 0];
      if (value.includes(NEWLINE)) return await this.next();
    }
    if (this.#at < this.#bytes.length) throw new SyntaxError("the last line has no end");
    return undefined;
  }
}

/** Not every browser iterates over a stream. */
async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (!(source instanceof ReadableStream)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}
