/** The logo of a client that registered itself is a picture of this service (G343). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { err, ok } from "../../../../src/base/result.ts";
import { changeRegistration } from "../../../../src/flows/oauth/registration/manage-registration.ts";
import { registerDynamicClient } from "../../../../src/flows/oauth/registration/register.ts";
import { deleteOrphanedAvatars } from "../../../../src/models/avatar/avatar.ts";
import type { PictureRequest } from "../../../../src/providers/client-documents.ts";
import { clientAt } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";

const METADATA = {
  client_name: "Notes",
  redirect_uris: ["https://notes.example.com/callback"],
  token_endpoint_auth_method: "none",
};
const LOGO = "https://notes.example.com/logo.png";

let flows: Flows;
let fetched: string[];
let picture: Buffer | undefined;
beforeAll(async () => {
  flows = await openFlows({ SERVICE_OAUTH_REGISTRATION: "open" });
});
beforeEach(() => {
  fetched = [];
  picture = Buffer.from("a picture");
});
afterAll(async () => {
  await flows.close();
});

const deps = () => ({
  ...flows.deps,
  clientDocuments: {
    ...flows.deps.clientDocuments,
    async fetchPicture({ url, admit }: PictureRequest) {
      if (!(await admit())) return err({ kind: "busy" } as const);
      fetched.push(url);
      return picture ? ok(picture) : err({ kind: "unavailable", cause: "no picture" } as const);
    },
  },
});

async function register(metadata: object) {
  const input = { metadata: { ...METADATA, ...metadata }, token: undefined, requestContext: clientAt() };
  return await registerDynamicClient(deps(), input);
}

async function registered(metadata: object = { logo_uri: LOGO }) {
  const result = await register(metadata);
  if (!result.ok) throw new Error(result.error.description);
  return result.value;
}

async function logoAfterPut({ client, registrationToken }: Awaited<ReturnType<typeof registered>>, metadata: object) {
  const access = { clientId: client.id, token: registrationToken };
  const body = { ...METADATA, client_id: client.id, ...metadata };
  const changed = await changeRegistration(deps(), { access, metadata: body, requestContext: clientAt() });
  if (!changed.ok) throw new Error(changed.error.description);
  return changed.value.client.logoUrl;
}

describe("the logo of a registration", () => {
  test("is fetched once and stored; response and row have the address at this service", async () => {
    const { client } = await registered();
    const [row] = await flows.sql`select logo_url from oauth_clients where id = ${client.id}`;
    expect(fetched).toEqual([LOGO]);
    expect(client.logoUrl).toMatch(/^http:\/\/localhost:3000\/avatars\/[0-9a-f]{64}\.webp$/);
    expect(row?.logo_url).toBe(client.logoUrl);
    await deleteOrphanedAvatars(flows.sql as never, new Date(flows.clock.now() + 86_400_000), 100);
    const hash = client.logoUrl?.slice(-69, -5) ?? "";
    expect(await flows.sql`select 1 from avatars where hash = ${hash}`).toHaveLength(1);
  });

  test("that cannot be read is absent, and the registration succeeds", async () => {
    picture = undefined;
    expect((await registered()).client.logoUrl).toBeNull();
  });

  test("is not fetched for a refused registration", async () => {
    const refused = await register({ logo_uri: LOGO, redirect_uris: ["http://app.example.com/"] });
    expect([refused.ok, fetched]).toEqual([false, []]);
  });

  test("at an unusable address is left out and not fetched, and the registration succeeds", async () => {
    const { client, leftOut } = await registered({ logo_uri: "https://x;frame-ancestors/logo.png" });
    expect([client.logoUrl, fetched]).toEqual([null, []]);
    expect(leftOut?.map(({ member }) => member)).toEqual(["logo_uri"]);
  });

  test("is not fetched again when a PUT repeats the stored address, and is when the address is another", async () => {
    const registration = await registered();
    const stored = registration.client.logoUrl;
    expect(await logoAfterPut(registration, { logo_uri: stored })).toBe(stored);
    expect(fetched).toEqual([LOGO]);
    expect(await logoAfterPut(registration, { logo_uri: LOGO })).toBe(stored);
    picture = Buffer.from("another picture");
    expect(await logoAfterPut(registration, { logo_uri: `${LOGO}?2` })).not.toBe(stored);
    expect(await logoAfterPut(registration, {})).toBeNull();
  });
});
