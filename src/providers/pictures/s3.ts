import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { boundedFetch } from "../../base/bounded-fetch.ts";
import { AVATAR_BYTES_MAX, PICTURE_STORE_DEADLINE_MS } from "../../limits/avatar-limits.ts";
import type { PictureStore } from "./picture-store.ts";

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  /** Prefix of all object names; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Bounds of every response, including error responses. */
const BOUNDS = { deadlineMs: PICTURE_STORE_DEADLINE_MS, maxBytes: AVATAR_BYTES_MAX };

/** An S3-compatible store (`SERVICE_S3_URL`), by signed requests (AWS Signature Version 4). */
export function s3Pictures({ endpoint, bucket, prefix, ...credentials }: S3Options): PictureStore {
  const signer = new AwsClient({ ...credentials, service: "s3" });

  /** Rejects, with the status only, for an unaccepted status. */
  async function request(method: string, hash: string, accepted: readonly number[], content?: Buffer) {
    const body = content && new Uint8Array(content);
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const { url, headers } = await signer.sign(`${endpoint}/${bucket}/${prefix}${hash}.webp`, {
      method,
      headers: { "content-type": "image/webp", "x-amz-content-sha256": digest },
    });
    const response = await boundedFetch(url, { method, headers, body: body ?? null }, BOUNDS);
    if (!accepted.includes(response.status)) throw new Error(`picture store: ${method} returned ${response.status}`);
    return response;
  }

  return {
    async put(hash, content) {
      await request("PUT", hash, [200, 201, 204], content);
    },
    async get(hash) {
      const response = await request("GET", hash, [200, 404]);
      return response.status === 404 ? undefined : Buffer.from(await response.arrayBuffer());
    },
    async remove(hash) {
      await request("DELETE", hash, [200, 204, 404]);
    },
  };
}
