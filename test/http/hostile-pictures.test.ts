/** Pictures of a few kilobytes that ask for hundreds of megabytes. */
import { beforeAll, describe, expect, test } from "bun:test";
import sharp, { type Sharp } from "sharp";
import { type Client, registered } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { peakOf, residentBytes } from "../support/memory.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";

const MIB = 1024 * 1024;
/** Of Bun. Processes of Deno are larger, and free memory later (docs/operating.md). */
const FACTOR = process.env.TEST_RUNTIME === "deno" ? 2 : 1;
const ADDED_MAX_BYTES = FACTOR * 200 * MIB;
const TOTAL_MAX_BYTES = FACTOR * 512 * MIB;
/** 39.9 megapixels: within the limit for all formats but AVIF. */
const SIDE = 6320;
let replica: Replica;
let client: Client;

beforeAll(async () => {
  replica = await startReplica({ DATABASE_URL: await freshDatabase() });
  client = (await registered(replica.url)).client;
  await upload(await plain(64, 64).png().toBuffer());
});

function plain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "red" } });
}

function upload(content: Uint8Array, at = client) {
  const form = new FormData();
  form.append("file", new File([content as Uint8Array<ArrayBuffer>], "picture"));
  const request = new Request("http://x", { method: "POST", body: form });
  return at.request("POST", "/v1/users/me/avatar", {
    raw: request.body as ReadableStream,
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
}

/** 400 frames; the reader of the first one still sees the headers of all. */
function animation(format: "gif" | "webp"): Promise<Buffer> {
  const frames = sharp(Buffer.alloc(500 * 500 * 3 * 400), {
    raw: { width: 500, height: 500 * 400, channels: 3, pageHeight: 500 },
    limitInputPixels: false,
  });
  return format === "gif" ? frames.gif({ effort: 1 }).toBuffer() : frames.webp({ effort: 0 }).toBuffer();
}

/**
 * An AVIF whose container claims 64 by 64 while its AV1 frame has 16 megapixels: the property `ispe` is written over.
 */
async function lyingAvif(): Promise<Buffer> {
  const avif = await plain(4000, 4000).avif({ effort: 0, chromaSubsampling: "4:4:4" }).toBuffer();
  const at = avif.indexOf("ispe");
  avif.writeUInt32BE(64, at + 8);
  avif.writeUInt32BE(64, at + 12);
  return avif;
}

/** Made once: encoding costs this test more than decoding costs the service. */
function once(make: () => Promise<Buffer>): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const HOSTILE: [string, () => Promise<Buffer>][] = [
  [
    "AVIF of 40 megapixels, 4:4:4",
    once(() => plain(SIDE, SIDE).avif({ effort: 0, chromaSubsampling: "4:4:4" }).toBuffer()),
  ],
  ["AVIF that claims to be small", once(lyingAvif)],
  [
    "progressive JPEG, 4:4:4",
    once(() => plain(SIDE, SIDE).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer()),
  ],
  ["interlaced PNG", once(() => plain(SIDE, SIDE).png({ progressive: true }).toBuffer())],
  ["interlaced PNG, 16 bits", () => plain(SIDE, SIDE).toColourspace("rgb16").png({ progressive: true }).toBuffer()],
  ["lossless WebP", () => plain(SIDE, SIDE).webp({ lossless: true, effort: 0 }).toBuffer()],
  ["GIF of 40 megapixels", () => plain(SIDE, SIDE).gif({ effort: 1 }).toBuffer()],
];

describe("a picture that asks for more memory than it may have", () => {
  test.each(HOSTILE)("%s: two at once are refused, and add less than 200 MiB", async (_, make) => {
    const picture = await make();
    const added = await peakOf(replica.pid, async () => {
      const answers = await race(() => upload(picture), 2);
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
        [400, "invalid_input"],
        [400, "invalid_input"],
      ]);
    });
    expect(added).toBeLessThan(ADDED_MAX_BYTES);
  });

  test.each(["gif", "webp"] as const)(
    "animated %s of 400 frames: two at once add less than 200 MiB",
    async (format) => {
      const picture = await animation(format);
      const added = await peakOf(replica.pid, async () => {
        for (const { status } of await race(() => upload(picture), 2)) expect([200, 400]).toContain(status);
      });
      expect(added).toBeLessThan(ADDED_MAX_BYTES);
    },
  );

  test("forty at once by twenty users: the replica stays below 512 MiB and goes on, none fails otherwise", async () => {
    const pictures = await Promise.all(HOSTILE.slice(0, 4).map(([, make]) => make()));
    const users = await race(() => registered(replica.url));
    const before = residentBytes(replica.pid);
    const added = await peakOf(replica.pid, async () => {
      const answers = await race(
        (index) => upload(pictures[index % 4] ?? Buffer.alloc(0), users[index % 20]?.client ?? client),
        40,
      );
      for (const { status } of answers) expect([400, 429]).toContain(status);
    });
    expect(before + added).toBeLessThan(TOTAL_MAX_BYTES);
    expect((await upload(await plain(400, 300).jpeg().toBuffer())).status).toBe(200);
  });
});

describe("a picture of an honest user", () => {
  test.each<[string, () => Promise<Buffer>]>([
    ["AVIF of 4 megapixels", () => plain(2000, 2000).avif({ effort: 0, chromaSubsampling: "4:4:4" }).toBuffer()],
    ["JPEG of 40 megapixels", () => plain(SIDE, SIDE).jpeg().toBuffer()],
    ["PNG of 40 megapixels", () => plain(SIDE, SIDE).png().toBuffer()],
    ["progressive JPEG of 24 megapixels", () => plain(6000, 4000).jpeg({ progressive: true }).toBuffer()],
    ["interlaced PNG of 12 megapixels", () => plain(4000, 3000).png({ progressive: true }).toBuffer()],
    ["PNG of nearly 5 MiB", () => plain(1_280, 1_270).png({ compressionLevel: 0 }).toBuffer()],
    ["WebP of 12 megapixels", () => plain(4000, 3000).webp({ effort: 0 }).toBuffer()],
  ])("%s is taken, and adds less than 200 MiB", async (_, make) => {
    const picture = await make();
    const added = await peakOf(replica.pid, async () => {
      expect((await upload(picture)).status).toBe(200);
    });
    expect(added).toBeLessThan(ADDED_MAX_BYTES);
  });

  test("waits for one picture of another user, not for all of them", async () => {
    const [greedy, patient] = [await registered(replica.url), await registered(replica.url)];
    const slow = await plain(2000, 2000).avif({ effort: 0, chromaSubsampling: "4:4:4" }).toBuffer();
    const done: string[] = [];
    const flood = race(() => upload(slow, greedy.client).then(() => done.push("greedy")), 10);
    const small = await plain(64, 64).png().toBuffer();
    const single = upload(small, patient.client).then(() => done.push("patient"));
    await Promise.all([flood, single]);
    expect(done.indexOf("patient")).toBeLessThan(4);
  });
});
