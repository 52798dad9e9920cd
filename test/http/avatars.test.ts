import { beforeAll, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { startReplica } from "../support/replica.ts";
import { startS3 } from "../support/s3.ts";
import { freshDatabase, openSql } from "../support/services.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const PATH = "/v1/users/me/avatar";
const MIB = 1024 * 1024;

function upload(client: Client, content: Uint8Array | string, name = "picture.png", type = "image/png", part = "file") {
  const form = new FormData();
  form.append("ignored", "x");
  form.append(part, new File([content as Uint8Array<ArrayBuffer>], name, { type }));
  const request = new Request("http://x", { method: "POST", body: form });
  return client.request("POST", PATH, {
    raw: request.body as ReadableStream,
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
}

const picture = (width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } });
const pathOf = (url: string) => new URL(url).pathname;

/** Builds a PNG of any declared size in a few bytes: header, `rows` rows of data, end. */
function pngOf(width: number, height: number, rows: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(Bun.hash.crc32(body));
    return Buffer.concat([head, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(rows * (width + 1)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

describe("POST /v1/users/me/avatar and GET /avatars/:file", () => {
  describe("200", () => {
    test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
      "takes %s by its content, whatever name and type claim, and serves WebP of 256 by 256 for ever",
      async (format) => {
        const { client } = await registered(at.one.url);
        const response = await upload(client, await picture().toFormat(format).toBuffer(), "evil.html", "text/html");
        expect(response.status).toBe(200);
        expect(response.body.avatar_url).toMatch(/^http:\/\/localhost:3000\/avatars\/[0-9a-f]{64}\.webp$/);
        expect((await client.get("/v1/users/me")).body.avatar_url).toBe(response.body.avatar_url);
        const served = await fetch(at.other.url + pathOf(response.body.avatar_url));
        expect(served.status).toBe(200);
        expect(Object.fromEntries(served.headers)).toMatchObject({
          "content-type": "image/webp",
          "cache-control": "public, max-age=31536000, immutable",
          "content-disposition": "inline",
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
        });
        const metadata = await sharp(await served.arrayBuffer()).metadata();
        expect(metadata).toMatchObject({ format: "webp", width: 256, height: 256 });
      },
    );

    test("drops metadata and turns the picture upright", async () => {
      const { client } = await registered(at.one.url);
      const left = await sharp({ create: { width: 100, height: 200, channels: 3, background: "red" } })
        .png()
        .toBuffer();
      const photo = await sharp({ create: { width: 200, height: 200, channels: 3, background: "blue" } })
        .composite([{ input: left, left: 0, top: 0 }])
        .withExif({ IFD0: { Copyright: "somewhere at home" } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      const { body } = await upload(client, photo);
      const served = Buffer.from(await (await fetch(at.one.url + pathOf(body.avatar_url))).arrayBuffer());
      expect((await sharp(photo).metadata()).exif).toBeDefined();
      expect((await sharp(served).metadata()).exif).toBeUndefined();
      expect(served.includes("somewhere at home")).toBe(false);
      // With orientation 6 the left edge of the source is the top edge of the result.
      const { data } = await sharp(served).raw().toBuffer({ resolveWithObject: true });
      const red = (x: number, y: number) => (data[(y * 256 + x) * 3] ?? 0) > 150;
      expect([red(128, 20), red(128, 236)]).toEqual([true, false]);
    });

    test("has one name for each picture and user; a second picture removes the first", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      const [red, wide] = [await picture().png().toBuffer(), await picture(900, 300).negate().png().toBuffer()];
      const first = (await upload(one.client, red)).body.avatar_url;
      expect((await upload(one.client, red)).body.avatar_url).toBe(first);
      expect((await upload(other.client, red)).body.avatar_url).not.toBe(first);
      const second = (await upload(one.client, wide)).body.avatar_url;
      expect((await fetch(at.one.url + pathOf(first))).status).toBe(404);
      expect((await fetch(at.one.url + pathOf(second))).status).toBe(200);
    });

    test("leaves one picture when 20 are uploaded at once, over two replicas", async () => {
      const { client, userId } = await registered(at.one.url);
      const pictures = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          picture()
            .tint({ r: index * 12, g: 0, b: 0 })
            .png()
            .toBuffer(),
        ),
      );
      const responses = await race((index) =>
        upload(client.at(index % 2 ? at.one.url : at.other.url), pictures[index] ?? ""),
      );
      expect(responses.every(({ status }) => status === 200)).toBe(true);
      const { avatar_url } = (await client.get("/v1/users/me")).body;
      expect((await fetch(at.one.url + pathOf(avatar_url))).status).toBe(200);
      const [audits] = await at.sql`
        select count(*)::int as entries from audit_logs where actor_id = ${userId} and action = 'user.updated'`;
      expect(audits?.entries).toBe(20);
    });
  });

  describe("400 invalid_input", () => {
    test.each<[string, () => Promise<Buffer | string> | Buffer | string]>([
      ["SVG", () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
      ["HTML", () => "<!doctype html><script>alert(1)</script>"],
      ["TIFF", () => picture().tiff().toBuffer()],
      ["nothing", () => ""],
      ["a truncated PNG", async () => (await picture(800, 800).png().toBuffer()).subarray(0, 300)],
      ["a truncated JPEG", async () => (await picture(800, 800).jpeg().toBuffer()).subarray(0, 700)],
      ["a PNG header without a picture", () => pngOf(300, 300, 0)],
      ["more than 40 megapixels", () => pngOf(8000, 5001, 5001)],
      ["a picture of a claimed 65000 by 65000", () => pngOf(65_000, 65_000, 1)],
      ["random bytes", () => Buffer.from(crypto.getRandomValues(new Uint8Array(5000)))],
      ["more than 5 MiB", () => Buffer.alloc(5 * MIB + 1)],
    ])("refuses %s, and keeps the picture of before (G20)", async (_, content) => {
      const { client } = await registered(at.one.url);
      const response = await upload(client, await content());
      expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
      expect((await client.get("/v1/users/me")).body.avatar_url).toBeNull();
    });

    test("refuses a body that is no multipart form, lacks the part, or has a text there", async () => {
      const { client } = await registered(at.one.url);
      expect((await client.post(PATH, { file: "x" })).status).toBe(400);
      expect((await upload(client, await picture().png().toBuffer(), "x", "image/png", "picture")).status).toBe(400);
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const text = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n';
      for (const raw of [text, "", "garbage", "--b--"]) {
        expect((await client.request("POST", PATH, { raw, headers })).status).toBe(400);
      }
    });
  });

  describe("401 authentication_required", () => {
    test("needs a caller, before the body is read", async () => {
      expect((await upload(new Client(at.one.url), Buffer.alloc(4 * MIB))).status).toBe(401);
    });
  });

  describe("403 csrf_failed", () => {
    test("needs the CSRF header", async () => {
      const { client } = await registered(at.one.url);
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      expect((await client.request("POST", PATH, { raw: "--b--", headers, csrf: false })).status).toBe(403);
    });
  });

  describe("404 not_found", () => {
    test.each([
      "x",
      "..%2f..%2fetc%2fpasswd",
      `${"0".repeat(64)}.webp`,
      `${"0".repeat(64)}.svg`,
      `${"G".repeat(64)}.webp`,
    ])("is what there is at /avatars/%s", async (file) => {
      const response = await new Client(at.one.url).get(`/avatars/${file}`);
      expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
    });
  });
});

describe("DELETE /v1/users/me/avatar", () => {
  describe("204", () => {
    test("removes the picture and the address; a repetition has no effect", async () => {
      const { client } = await registered(at.one.url);
      const { avatar_url } = (await upload(client, await picture().png().toBuffer())).body;
      expect((await client.delete(PATH)).status).toBe(204);
      expect((await client.get("/v1/users/me")).body.avatar_url).toBeNull();
      expect((await fetch(at.one.url + pathOf(avatar_url))).status).toBe(404);
      expect((await client.delete(PATH)).status).toBe(204);
    });
  });
});

describe("with an S3-compatible store", () => {
  test("500: a store that refuses the signature keeps no picture", async () => {
    const s3 = await startS3();
    const replica = await startReplica({ DATABASE_URL: await freshDatabase(), SERVICE_S3_URL: s3.foreignUrl });
    const { client } = await registered(replica.url);
    expect((await upload(client, await picture().png().toBuffer())).status).toBe(500);
    expect(await s3.keys()).toEqual([]);
    await Promise.all([replica.kill(), s3.stop()]);
  });

  test("keeps pictures there and none in Postgres", async () => {
    const s3 = await startS3();
    const databaseUrl = await freshDatabase();
    const replica = await startReplica({ DATABASE_URL: databaseUrl, SERVICE_S3_URL: s3.url });
    const { client } = await registered(replica.url);
    const { body, status } = await upload(client, await picture().png().toBuffer());
    expect(status).toBe(200);
    const served = await fetch(replica.url + pathOf(body.avatar_url));
    expect((await sharp(await served.arrayBuffer()).metadata()).format).toBe("webp");
    expect(await s3.keys()).toEqual([`faces${pathOf(body.avatar_url).replace("avatars/", "")}`]);
    expect(await openSql(databaseUrl)`select 1 from avatars`).toHaveLength(0);
    expect((await client.delete(PATH)).status).toBe(204);
    expect(await s3.keys()).toEqual([]);
    expect((await fetch(replica.url + pathOf(body.avatar_url))).status).toBe(404);
    await s3.stop();
    expect((await upload(client, await picture().png().toBuffer())).status).toBe(500);
    expect((await client.get("/v1/users/me")).body.avatar_url).toBeNull();
    await replica.kill();
  });
});
