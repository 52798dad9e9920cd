import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

const BUCKET = "pictures";
const OBJECT_SUFFIX = "._S3rver_object";
/** The built-in account of s3rver. */
const ACCESS_KEY = "S3RVER";
const SECRET = "S3RVER";

/** Starts an S3-compatible store on this machine. s3rver accepts every signature, so a proxy verifies signatures. */
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
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      if (!isSigned(request, body)) return new Response("SignatureDoesNotMatch", { status: 403 });
      const url = new URL(request.url);
      url.port = String(port);
      const { method, headers } = request;
      return await fetch(url, { method, headers, body: body.length > 0 ? body : null });
    },
  });
  return {
    url: urlOf(proxy.port, SECRET),
    /** The address with another secret. */
    foreignUrl: urlOf(proxy.port, "another-secret"),
    /** Returns the names of the objects in the bucket. */
    async keys(): Promise<string[]> {
      return readdirSync(join(directory, BUCKET), { recursive: true, encoding: "utf8" }).flatMap((name) =>
        name.endsWith(OBJECT_SUFFIX) ? [name.slice(0, -OBJECT_SUFFIX.length)] : [],
      );
    },
    async stop(): Promise<void> {
      await proxy.stop(true);
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function urlOf(port: number | undefined, secret: string): string {
  return `http://${ACCESS_KEY}:${secret}@127.0.0.1:${port}/${BUCKET}/faces`;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
/** A signature without these headers would hold for another host, time or content. */
const REQUIRED_HEADERS = ["host", "x-amz-content-sha256", "x-amz-date"];

/** Signature Version 4 in the header (Amazon S3 API Reference, "Authenticating Requests"). */
function isSigned(request: Request, body: Uint8Array): boolean {
  const found = AUTHORIZATION.exec(request.headers.get("authorization") ?? "");
  const [, accessKey, scope = "", signedHeaders = "", signature] = found ?? [];
  const names = signedHeaders.split(";");
  const contentHash = request.headers.get("x-amz-content-sha256") ?? "";
  if (accessKey !== ACCESS_KEY || contentHash !== sha256(body)) return false;
  if (REQUIRED_HEADERS.some((name) => !names.includes(name))) return false;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.sort();
  const headers = names.map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`).join("");
  const canonical = [request.method, pathname, searchParams, headers, signedHeaders, contentHash].join("\n");
  const date = request.headers.get("x-amz-date");
  const key = scope.split("/").reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`);
  return hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString("hex") === signature;
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
