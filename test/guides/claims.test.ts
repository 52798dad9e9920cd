/** The commands and mappings of docs/guides/claims.md, as printed, against a service. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addGroups } from "../support/claims.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { blockOf, runBlocks } from "../support/document-blocks.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { founded } from "../support/team.ts";

const GUIDE = "docs/guides/claims.md";
const folder = mkdtempSync(join(tmpdir(), "identity-claims-"));
let at: Deployment;
let admin: Awaited<ReturnType<typeof steppedUpAdmin>>;
beforeAll(async () => {
  at = await deployment();
  admin = await steppedUpAdmin(at);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a block with the token of an admin. */
async function run(info: string, variables: Record<string, string> = {}) {
  const { accessToken } = admin;
  const [line = ""] = await runBlocks(GUIDE, [info], {
    url: at.one.url,
    folder,
    variables: { ADMIN_TOKEN: accessToken, ...variables },
  });
  return JSON.parse(line);
}

describe("docs/guides/claims.md", () => {
  test("The commands register an application, and preview the stored and the unsaved claims of a user.", async () => {
    const owner = await founded(at);
    await addGroups(at, owner, owner.userId, ["admins"]);
    const organization = { ORGANIZATION: owner.organizationId };
    const { client_id: CLIENT } = await run("sh register", organization);
    const variables = { ...organization, CLIENT, USER_ID: owner.userId };
    const stored = await run("sh preview", variables);
    expect(stored).toMatchObject({ id_token: { groups: ["admins"], role: "Admin" }, userinfo: { groups: ["admins"] } });
    expect(stored.userinfo).not.toHaveProperty("role");
    const unsaved = await run("sh unsaved", variables);
    expect(unsaved.id_token).toMatchObject({ plan: "free" });
    expect(unsaved.id_token).not.toHaveProperty("groups");
    const api = await run("sh api");
    expect(api.claim_mappings.map(({ claim }: { claim: string }) => claim)).toEqual(["reports_groups", "strong"]);
  });

  test("Every printed mapping is accepted for an application that names its organizations.", async () => {
    const { organizationId } = await founded(at);
    const made = await admin.client.post("/v1/admin/oauth-clients", {
      name: "Printed",
      token_endpoint_auth_method: "client_secret_basic",
      redirect_uris: ["https://printed.example.com/callback"],
      scopes: ["openid"],
      organizations: [organizationId],
      claim_mappings: JSON.parse(blockOf(GUIDE, "json")),
    });
    expect([made.status, made.body.claim_mappings?.length]).toEqual([201, 10]);
  });
});
