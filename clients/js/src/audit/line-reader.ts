/** Bytes from a file, a response or a browser's file. */
export type ByteSource = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** No record is longer: the longest members are a user agent of 512 characters and the metadata of an event. */
const LINE_MAX_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Reads lines in sequence; the memory does not depend on the number of lines. */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** The bytes from `#at` up to `#end` were read and not returned. */
  #buffer: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  #ended = false;

  constructor(source: ByteSource) {
    this.#chunks = chunksOf(source);
  }

  /**
   * The next line without the newline, or undefined at the end. Not a promise while the line is in memory. Throws a
   * SyntaxError for a line that is too long, is not UTF-8 or has no newline.
   */
  next(): string | undefined | Promise<string | undefined> {
    const read = this.#buffer.subarray(0, this.#end);
    const end = read.indexOf(NEWLINE, this.#at);
    if (end === -1) return this.#readMore();
    if (end - this.#at > LINE_MAX_BYTES) throw new SyntaxError("a line is too long");
    const line = read.subarray(this.#at, end);
    this.#at = end + 1;
    try {
      return this.#decoder.decode(line);
    } catch {
      throw new SyntaxError("a line is not UTF-8");
    }
  }

  async #readMore(): Promise<string | undefined> {
    while (!this.#ended) {
      if (this.#end - this.#at > LINE_MAX_BYTES) throw new SyntaxError("a line is too long");
      const { done, value } = await this.#chunks.next();
      this.#ended = done === true;
      if (!value || value.length === 0) continue;
      this.#append(value);
      if (value.includes(NEWLINE)) return await this.next();
    }
    if (this.#at < this.#end) throw new SyntaxError("the last line has no end");
    return undefined;
  }

  /** A source of single bytes must not copy a long line for every byte: bytes that fit are appended in place. */
  #append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#buffer.length) {
      const rest = this.#buffer.subarray(this.#at, this.#end);
      const size = rest.length + chunk.length;
      if (2 * size > this.#buffer.length) this.#buffer = new Uint8Array(2 * size);
      this.#buffer.set(rest);
      [this.#at, this.#end] = [0, rest.length];
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
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
