import { S3Client } from "bun";
import { PICTURE_STORE_DEADLINE_MS } from "../../base/limits.ts";
import type { PictureStore } from "./picture-store.ts";

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  /** Prefix of each object name; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An S3-compatible store (`SERVICE_S3_URL`), with the client of Bun. */
export function s3Pictures({ prefix, ...options }: S3Options): PictureStore {
  const client = new S3Client(options);
  const key = (hash: string) => `${prefix}${hash}.webp`;
  return {
    async put(hash, content) {
      await withDeadline("put", client.write(key(hash), content, { type: "image/webp" }));
    },
    async get(hash) {
      try {
        return Buffer.from(await withDeadline("get", client.file(key(hash)).arrayBuffer()));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "NoSuchKey") return undefined;
        throw error;
      }
    },
    async remove(hash) {
      await withDeadline("remove", client.delete(key(hash)));
    },
  };
}

function withDeadline<T>(what: string, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new Error(`picture store: ${what} had no response within ${PICTURE_STORE_DEADLINE_MS} ms`));
    const timer = setTimeout(late, PICTURE_STORE_DEADLINE_MS);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
