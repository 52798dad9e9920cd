import { afterAll, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { deleteOwnAvatar, uploadAvatar } from "../../../src/flows/avatars/change.ts";
import { callerOf, clientAt, registerAccount, unwrap } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

test("a picture with a parallel upload and removal exists, or its address does not", async () => {
  const { deps } = flows;
  const { pictures } = deps;
  const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
  const change = { caller, client: clientAt() };
  const file = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#123456" } })
    .png()
    .toBuffer();
  unwrap(await uploadAvatar(deps, { ...change, file }));
  // The removal runs between the two writes of the upload.
  let removed = false;
  const interrupted = {
    ...pictures,
    put: async (hash: string, content: Buffer) => {
      await pictures.put(hash, content);
      if (!removed) await deleteOwnAvatar(deps, change);
      removed = true;
    },
  };
  const hash = unwrap(await uploadAvatar({ ...deps, pictures: interrupted }, { ...change, file }));
  const [row] = await flows.sql`select avatar_hash from users where id = ${caller.userId}`;
  expect(row?.avatar_hash).toBe(hash);
  expect(await pictures.get(hash)).toBeDefined();
});
