import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

const BUCKET = "pictures";
const OBJECT_SUFFIX = "._S3rver_object";

/** Starts an S3-compatible store on this machine with the built-in credentials of s3rver. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), "identity-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: `http://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}/faces`,
    /** Returns the names of the objects in the bucket. */
    async keys(): Promise<string[]> {
      return readdirSync(join(directory, BUCKET), { recursive: true, encoding: "utf8" }).flatMap((name) =>
        name.endsWith(OBJECT_SUFFIX) ? [name.slice(0, -OBJECT_SUFFIX.length)] : [],
      );
    },
    async stop(): Promise<void> {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
