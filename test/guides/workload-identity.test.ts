/** The commands of docs/guides/workload-identity.md, with tokens of an own issuer (G557). */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TRUST_PRESET_NAMES, trustPreset, trustSetupOf } from "../../src/flows/service-accounts/trust-presets.ts";
import { testCertificate } from "../support/certificate.ts";
import { Client } from "../support/client.ts";
import { deployment } from "../support/deployment.ts";
import { runBlocks } from "../support/document-blocks.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { stopLater } from "../support/services.ts";
import { RECORDED } from "../support/workload-claims.ts";

const GUIDE = "docs/guides/workload-identity.md";
const REQUEST_TOKEN = "request-token";

/** The endpoints of the platforms that hand a token to a program of the platform. */
function startPlatform(tokenFor: (audience: string) => Promise<string>): string {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const { headers } = request;
      const audience = searchParams.get("audience") ?? searchParams.get("resource") ?? "";
      const token = await tokenFor(audience);
      if (pathname === "/github" && headers.get("authorization") === `Bearer ${REQUEST_TOKEN}`)
        return Response.json({ count: 1, value: token });
      if (pathname.endsWith("/identity") && headers.get("metadata-flavor") === "Google") return new Response(token);
      if (pathname.endsWith("/oauth2/token") && headers.get("metadata") === "true")
        return Response.json({ access_token: token, resource: audience, token_type: "Bearer" });
      return new Response(null, { status: 403 });
    },
  });
  stopLater(() => server.stop(true));
  return server.url.origin;
}

test.each(["sh github", "sh gitlab", "sh kubernetes", "sh gcp", "sh azure"])(
  "The commands of the block %s exchange a token of the platform for an access token (G557).",
  async (block) => {
    const name = block.slice("sh ".length) as "github" | "gitlab" | "kubernetes" | "gcp" | "azure";
    const at = await deployment();
    const owner = await steppedUpOwner(at);
    const issuer = new ForgedProvider(testCertificate());
    const account = await owner.client.post(accountsOf(owner.organizationId), { name: "Pipeline" });
    const { claims } = RECORDED[name];
    const audiences = name === "azure" ? ["api://identity-service"] : [ISSUER];
    const settings = {
      name: "Pipeline",
      issuer: issuer.url,
      audiences,
      conditions: [{ claim: "sub", equals: claims.sub }],
      scopes: ["members.list"],
      single_use: trustPreset(name).single_use,
    };
    const made = await owner.client.post(`${accountsOf(owner.organizationId)}/${account.body.id}/trusts`, settings);
    expect(made.status).toBe(201);
    const now = Math.floor(Date.now() / 1000);
    const tokenFor = (aud: string) => {
      const times = { iat: now, exp: now + 300, jti: crypto.randomUUID() };
      return issuer.sign({ ...claims, iss: issuer.url, aud, ...times }, {});
    };
    const platform = startPlatform(tokenFor);
    const folder = mkdtempSync(join(tmpdir(), "identity-workload-"));
    try {
      writeFileSync(join(folder, "token"), await tokenFor(ISSUER));
      const lines = await runBlocks(GUIDE, [block], {
        url: at.one.url,
        folder,
        values: {
          [`audience=${at.one.url}`]: `audience=${ISSUER}`,
          "/var/run/secrets/identity/token": join(folder, "token"),
          "http://metadata.google.internal": platform,
          "http://169.254.169.254": platform,
        },
        variables: {
          CLIENT_ID: account.body.id,
          TOKEN: await tokenFor(ISSUER),
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
          ACTIONS_ID_TOKEN_REQUEST_URL: `${platform}/github?api-version=2.0`,
        },
      });
      const { access_token: bearer, scope } = JSON.parse(lines.join(""));
      expect(scope).toBe("members.list");
      const path = `/v1/orgs/${owner.organizationId}/members`;
      expect((await new Client(at.one.url).request("GET", path, { bearer })).status).toBe(200);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("The guide prints the commands of every preset as the console displays them (G557).", () => {
  const guide = readFileSync(join(import.meta.dir, "../..", GUIDE), "utf8");
  const url = "https://id.example.com";
  for (const name of TRUST_PRESET_NAMES.filter((each) => each !== "other")) {
    const audience = name === "azure" ? "api://identity-service" : url;
    const values = { tokenUrl: `${url}/oauth2/token`, clientId: "$CLIENT_ID", audience };
    expect([name, guide.includes(`\n${trustSetupOf(trustPreset(name), values)}\n`)]).toEqual([name, true]);
    expect([name, guide.includes(trustPreset(name).name.replace(/^Microsoft /, ""))]).toEqual([name, true]);
  }
});
