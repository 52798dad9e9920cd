/** Owns: where pictures are kept. Names are hexadecimal hashes; what is stored under one never changes. */
export interface PictureStore {
  put(hash: string, content: Buffer): Promise<void>;
  /** `undefined` when there is none of this name. */
  get(hash: string): Promise<Buffer | undefined>;
  remove(hash: string): Promise<void>;
}
