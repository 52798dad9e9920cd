/** Owns: storage of pictures. Names are hexadecimal hashes; the content of a name never changes. */
export interface PictureStore {
  put(hash: string, content: Buffer): Promise<void>;
  get(hash: string): Promise<Buffer | undefined>;
  remove(hash: string): Promise<void>;
}
