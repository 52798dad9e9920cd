/** The brands of organizations and of applications. */
import { beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { contrastOf } from "../../src/base/colour.ts";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { oauthAdmin, registerClient } from "../support/oauth.ts";
import { platformUser } from "../support/platform.ts";
import { founded, memberWith } from "../support/team.ts";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

const MIB = 1024 * 1024;
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const SETTINGS = {
  accent: "#FFD500",
  radius: 4,
  terms_url: "https://acme.test/terms",
  privacy_url: "https://acme.test/privacy",
  support_url: "mailto:help@acme.test",
};
const EMPTY = {
  accent: null,
  radius: null,
  terms_url: null,
  privacy_url: null,
  support_url: null,
  logo_url: null,
  logo_dark_url: null,
  palette: null,
  updated_at: null,
};

const brandOf = (organizationId: string) => `/v1/orgs/${organizationId}/brand`;
const logoOf = (organizationId: string) => `/v1/orgs/${organizationId}/brand/logo`;
const darkLogoOf = (organizationId: string) => `/v1/orgs/${organizationId}/brand/logo-dark`;
const brandOfClient = (id: string) => `/v1/admin/oauth-clients/${id}/brand`;
const logoOfClient = (id: string) => `/v1/admin/oauth-clients/${id}/brand/logo`;
const darkLogoOfClient = (id: string) => `/v1/admin/oauth-clients/${id}/brand/logo-dark`;
const pathOf = (url: string) => new URL(url).pathname;

function upload(client: Client, path: string, content: Uint8Array | string, type = "image/png") {
  const form = new FormData();
  form.append("file", new File([content as Uint8Array<ArrayBuffer>], "logo.png", { type }));
  const request = new Request("http://x", { method: "PUT", body: form });
  return client.request("PUT", path, {
    raw: request.body as ReadableStream,
    headers: { "content-type": request.headers.get("content-type") ?? "" },
  });
}

const picture = (width = 1200, height = 300, background = "teal") =>
  sharp({ create: { width, height, channels: 4, background } });

async function recordsOf(resourceId: string) {
  const rows = await at.sql`
    select action, organization_id, metadata from audit_logs
    where resource_id = ${resourceId} and action like '%brand_updated' order by timestamp, event_id`;
  return rows.map(({ action, organization_id, metadata }) => [action, organization_id, metadata.fields]);
}

describe("GET and PUT /v1/orgs/:org_id/brand", () => {
  test("200: an owner and an admin replace the brand, and another replica has the brand at once", async () => {
    const owner = await founded(at);
    const path = brandOf(owner.organizationId);
    expect((await owner.client.get(path)).body).toEqual(EMPTY);
    const updated = await owner.client.request("PUT", path, { body: SETTINGS });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ ...SETTINGS, accent: "#ffd500" });
    const manager = await memberWith(at, owner.organizationId, "admin");
    expect((await manager.client.at(at.other.url).get(path)).body).toEqual(updated.body);
    const replaced = await manager.client.request("PUT", path, { body: { radius: 0 } });
    expect(replaced.body).toMatchObject({ ...EMPTY, radius: 0, updated_at: expect.any(String) });
    expect(await recordsOf(owner.organizationId)).toEqual([
      ["organization.brand_updated", owner.organizationId, "accent radius terms_url privacy_url support_url"],
      ["organization.brand_updated", owner.organizationId, "accent radius terms_url privacy_url support_url"],
    ]);
  });

  test("200: the palette has a readable button and link for every accent (G141)", async () => {
    const owner = await founded(at);
    for (const accent of ["#ffd500", "#00ff00", "#ffffff", "#000", "#7f7f7f"]) {
      const { body } = await owner.client.request("PUT", brandOf(owner.organizationId), { body: { accent } });
      const { light, dark } = body.palette;
      expect(contrastOf(light.button, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark.button, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(light.link, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(dark.link, "#17191c")).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("200: equal settings record nothing", async () => {
    const owner = await founded(at);
    const put = () => owner.client.request("PUT", brandOf(owner.organizationId), { body: SETTINGS });
    const first = await put();
    expect((await put()).body).toEqual(first.body);
    expect(await recordsOf(owner.organizationId)).toHaveLength(1);
  });

  test("200: 20 first changes at once, over two replicas, leave one brand", async () => {
    const owner = await founded(at);
    const path = brandOf(owner.organizationId);
    const responses = await race((index) =>
      owner.client.at(index % 2 ? at.one.url : at.other.url).request("PUT", path, { body: { radius: index } }),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const rows = await at.sql`select radius from brands where organization_id = ${owner.organizationId}`;
    expect(rows).toHaveLength(1);
  });

  test.each([
    ["a colour by name", { accent: "red" }, "accent"],
    ["a colour with a rule of CSS", { accent: "#fff;}*{display:none" }, "accent"],
    ["a radius that is no number", { radius: "4px" }, "radius"],
    ["a radius beyond the bound", { radius: 25 }, "radius"],
    ["a negative radius", { radius: -1 }, "radius"],
    ["a script as terms", { terms_url: "javascript:alert(1)" }, "terms_url"],
    ["a mailbox as privacy policy", { privacy_url: "mailto:a@acme.test" }, "privacy_url"],
    ["a relative address as support", { support_url: "/help" }, "support_url"],
    ["an address beyond the bound", { terms_url: `https://acme.test/${"a".repeat(2000)}` }, "terms_url"],
  ])("400: refuses %s, and changes nothing", async (_case, body, field) => {
    const owner = await founded(at);
    const path = brandOf(owner.organizationId);
    const refused = await owner.client.request("PUT", path, { body });
    expect(refused.status).toBe(400);
    expect(refused.body.error.fields.map((flaw: { field: string }) => flaw.field)).toEqual([field]);
    expect((await owner.client.get(path)).body).toEqual(EMPTY);
  });

  test("401, 403, 404: anonymous callers, members and users of a further organization have no effect", async () => {
    const owner = await founded(at);
    const path = brandOf(owner.organizationId);
    const member = await memberWith(at, owner.organizationId, "member");
    const other = await founded(at);
    const attempts = [new Client(at.one.url), member.client, other.client];
    for (const method of ["GET", "PUT"] as const) {
      const body = method === "PUT" ? { body: SETTINGS } : {};
      const statuses = await Promise.all(
        attempts.map(async (client) => (await client.request(method, path, body)).status),
      );
      expect(statuses).toEqual([401, 403, 404]);
    }
    expect((await owner.client.get(path)).body).toEqual(EMPTY);
  });
});

describe("PUT and DELETE /v1/orgs/:org_id/brand/logo and /logo-dark, GET /logos/:file", () => {
  test.each(["png", "jpeg", "webp"] as const)("200: re-encodes %s as a PNG within the bounds", async (format) => {
    const owner = await founded(at);
    const original = await picture()
      .withExif({ IFD0: { Copyright: "somewhere" } })
      .toFormat(format)
      .toBuffer();
    const stored = await upload(owner.client, logoOf(owner.organizationId), original, "text/html");
    expect(stored.status).toBe(200);
    expect(stored.body.logo_url).toMatch(/^http:\/\/localhost:3000\/logos\/[0-9a-f]{64}\.png$/);
    const served = await fetch(at.other.url + pathOf(stored.body.logo_url));
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 448, height: 112 });
    expect(bytes.includes("somewhere")).toBe(false);
  });

  test("200: a small logo keeps its size", async () => {
    const owner = await founded(at);
    const small = await picture(60, 20).png().toBuffer();
    const { body } = await upload(owner.client, logoOf(owner.organizationId), small);
    const served = await (await fetch(at.one.url + pathOf(body.logo_url))).arrayBuffer();
    expect(await sharp(served).metadata()).toMatchObject({ width: 60, height: 20 });
  });

  test("204: removes one of the two logos, twice alike; a removed logo is not served", async () => {
    const owner = await founded(at);
    const path = brandOf(owner.organizationId);
    await upload(owner.client, logoOf(owner.organizationId), await picture().png().toBuffer());
    const both = await upload(
      owner.client,
      darkLogoOf(owner.organizationId),
      await picture(90, 90, "white").png().toBuffer(),
    );
    const { logo_url: light, logo_dark_url: dark } = both.body;
    const removals = [];
    for (let count = 0; count < 2; count += 1) {
      removals.push((await owner.client.request("DELETE", darkLogoOf(owner.organizationId))).status);
    }
    expect(removals).toEqual([204, 204]);
    expect((await owner.client.get(path)).body).toMatchObject({ logo_url: light, logo_dark_url: null });
    expect((await fetch(at.other.url + pathOf(dark))).status).toBe(404);
    expect((await fetch(at.other.url + pathOf(light))).status).toBe(200);
    const fields = (await recordsOf(owner.organizationId)).map(([, , changed]) => changed);
    expect(fields).toEqual(["logo", "logo_dark", "logo_dark"]);
  });

  test("two organizations with one picture have two names", async () => {
    const [one, other] = [await founded(at), await founded(at)];
    const bytes = await picture().png().toBuffer();
    const urls = await Promise.all(
      [one, other].map(async (each) => (await upload(each.client, logoOf(each.organizationId), bytes)).body.logo_url),
    );
    expect(new Set(urls).size).toBe(2);
  });

  test("400: refuses SVG, GIF, text, a truncated and a large picture; the logo remains", async () => {
    const owner = await founded(at);
    const path = logoOf(owner.organizationId);
    const good = await picture().png().toBuffer();
    const { logo_url } = (await upload(owner.client, path, good)).body;
    const huge = await picture(4100, 4100).png({ compressionLevel: 9 }).toBuffer();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const noise = new Uint8Array(MIB + 1);
    const gif = await picture(40, 40).gif().toBuffer();
    for (const content of [svg, gif, "text", good.subarray(0, good.length / 2), huge, noise]) {
      const refused = await upload(owner.client, path, content);
      expect([refused.status, refused.body.error?.fields?.[0]?.field]).toEqual([400, "file"]);
    }
    expect((await owner.client.get(brandOf(owner.organizationId))).body.logo_url).toBe(logo_url);
  });

  test("403: a member changes no logo", async () => {
    const owner = await founded(at);
    const member = await memberWith(at, owner.organizationId, "member");
    const bytes = await picture().png().toBuffer();
    for (const path of [logoOf(owner.organizationId), darkLogoOf(owner.organizationId)]) {
      expect((await upload(member.client, path, bytes)).status).toBe(403);
      expect((await member.client.request("DELETE", path)).status).toBe(403);
    }
  });

  test.each(["../etc/passwd", "0".repeat(64), `${"0".repeat(64)}.png`, `${"0".repeat(64)}.svg`])(
    "404: GET /logos/%s",
    async (file) => {
      expect((await fetch(`${at.one.url}/logos/${encodeURIComponent(file)}`)).status).toBe(404);
    },
  );
});

describe("/v1/admin/oauth-clients/:id/brand", () => {
  test("200: a platform admin sets and reads the brand of an application; records have no organization", async () => {
    const client = await registerClient({}, admin);
    const path = brandOfClient(client.id);
    const updated = await admin.request("PUT", path, { body: SETTINGS });
    expect(updated.status).toBe(200);
    const logo = await upload(admin, logoOfClient(client.id), await picture().png().toBuffer());
    const dark = await upload(admin, darkLogoOfClient(client.id), await picture().negate().png().toBuffer());
    expect(dark.body).toMatchObject({ logo_url: logo.body.logo_url, accent: "#ffd500" });
    const viewer = await platformUser(at, "viewer");
    expect((await viewer.client.get(path)).body).toEqual(dark.body);
    for (const each of [logoOfClient(client.id), darkLogoOfClient(client.id)]) {
      expect((await admin.request("DELETE", each)).status).toBe(204);
    }
    expect((await admin.get(path)).body).toMatchObject({ logo_url: null, logo_dark_url: null });
    expect(await recordsOf(client.id)).toEqual([
      ["oauth.client.brand_updated", null, "accent radius terms_url privacy_url support_url"],
      ["oauth.client.brand_updated", null, "logo"],
      ["oauth.client.brand_updated", null, "logo_dark"],
      ["oauth.client.brand_updated", null, "logo"],
      ["oauth.client.brand_updated", null, "logo_dark"],
    ]);
  });

  test("403, 404: a Viewer, a user and an unknown application", async () => {
    const client = await registerClient({}, admin);
    const path = brandOfClient(client.id);
    const viewer = await platformUser(at, "viewer");
    const user = await registered(at.one.url);
    expect((await viewer.client.request("PUT", path, { body: SETTINGS })).status).toBe(403);
    expect((await user.client.get(path)).status).toBe(403);
    expect((await admin.get(brandOfClient(UNKNOWN))).status).toBe(404);
    expect((await admin.request("PUT", brandOfClient(UNKNOWN), { body: SETTINGS })).status).toBe(404);
    expect((await admin.request("DELETE", logoOfClient(UNKNOWN))).status).toBe(404);
  });

  test("the brand ends with the application", async () => {
    const client = await registerClient({}, admin);
    await admin.request("PUT", brandOfClient(client.id), { body: SETTINGS });
    await admin.request("DELETE", `/v1/admin/oauth-clients/${client.id}`);
    expect(await at.sql`select 1 from brands where client_id = ${client.id}`).toHaveLength(0);
  });
});
