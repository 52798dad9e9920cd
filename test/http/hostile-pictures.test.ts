/** Pictures of a few kilobytes whose decoding needs hundreds of megabytes. */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, registered } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { peakOf, residentBytes } from "../support/memory.ts";
import { ANIMATED, avif4, HONEST, HOSTILE, plain } from "../support/pictures.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";

const MIB = 1024 * 1024;
/** The bound for Bun. Processes on Deno are larger, and free memory later (docs/operating.md). */
const FACTOR = process.env.TEST_RUNTIME === "deno" ? 2 : 1;
const ADDED_MAX_BYTES = FACTOR * 200 * MIB;
const TOTAL_MAX_BYTES = FACTOR * 512 * MIB;
let replica: Replica;
let client: Client;

beforeAll(async () => {
  replica = await startReplica({ DATABASE_URL: await freshDatabase() });
  client = (await registered(replica.url)).client;
  await upload(await plain(64).png().toBuffer());
});

function upload(content: Uint8Array, at = client) {
  const form = new FormData();
  form.append("file", new File([content as Uint8Array<ArrayBuffer>], "picture"));
  const request = new Request("http://x", { method: "POST", body: form });
  return at.request("POST", "/v1/users/me/avatar", {
    raw: request.body as ReadableStream,
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
}

describe("a picture with a demand for too much memory", () => {
  test.each(HOSTILE)("%s: two at once are refused, and add less than 200 MiB", async (_, make) => {
    const picture = await make();
    const added = await peakOf(replica.pid, async () => {
      const responses = await race(() => upload(picture), 2);
      expect(responses.map(({ status, body }) => [status, body.error.code])).toEqual([
        [400, "invalid_input"],
        [400, "invalid_input"],
      ]);
    });
    expect(added).toBeLessThan(ADDED_MAX_BYTES);
  });

  test.each(ANIMATED)("animated %s of 400 frames: two at once add less than 200 MiB", async (_, make) => {
    const picture = await make();
    const added = await peakOf(replica.pid, async () => {
      for (const { status } of await race(() => upload(picture), 2)) expect([200, 400]).toContain(status);
    });
    expect(added).toBeLessThan(ADDED_MAX_BYTES);
  });

  test("forty at once by twenty users: the replica stays below 512 MiB and goes on, none fails otherwise", async () => {
    const pictures = await Promise.all(HOSTILE.slice(0, 4).map(([, make]) => make()));
    const users = await race(() => registered(replica.url));
    const before = residentBytes(replica.pid);
    const added = await peakOf(replica.pid, async () => {
      const responses = await race(
        (index) => upload(pictures[index % 4] ?? Buffer.alloc(0), users[index % 20]?.client ?? client),
        40,
      );
      for (const { status } of responses) expect([400, 429]).toContain(status);
    });
    expect(before + added).toBeLessThan(TOTAL_MAX_BYTES);
    expect((await upload(await plain(400, 300).jpeg().toBuffer())).status).toBe(200);
  });
});

describe("a picture of an honest user", () => {
  test.each(HONEST)("%s is taken, and adds less than 200 MiB", async (_, make) => {
    const picture = await make();
    const peak = () =>
      peakOf(replica.pid, async () => {
        expect((await upload(picture)).status).toBe(200);
      });
    // Concurrent work of the replica can only raise the peak.
    const peaks = [await peak(), await peak(), await peak()];
    expect(Math.min(...peaks)).toBeLessThan(ADDED_MAX_BYTES);
  });

  test("waits for one picture of a further user, not for all pictures", async () => {
    const [greedy, patient] = [await registered(replica.url), await registered(replica.url)];
    const slow = await avif4();
    const done: string[] = [];
    const flood = race(() => upload(slow, greedy.client).then(() => done.push("greedy")), 10);
    const small = await plain(64).png().toBuffer();
    const single = upload(small, patient.client).then(() => done.push("patient"));
    await Promise.all([flood, single]);
    expect(done.indexOf("patient")).toBeLessThan(4);
  });
});
