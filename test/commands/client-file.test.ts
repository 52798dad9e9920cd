/** Files of `clients apply`: what is read, and the flaws of malformed files. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readClientFile } from "../../src/commands/client-file.ts";
import { readNewClient } from "../../src/http/oauth/oauth-client-file.ts";
import { CLIENT_FILE_MAX_BYTES } from "../../src/limits/oauth-limits.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-client-file-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function read(content: string | Uint8Array) {
  const path = join(directory, "clients.yaml");
  writeFileSync(path, content);
  const result = await readClientFile(path);
  return result.ok ? result.value : result.error.map((problem) => problem.replace(`${path}: `, ""));
}

const ID = "2B1E7F1C-6F0F-4F6E-9A53-0D6F2F1B7A01";

describe("a file", () => {
  test("has the members of the API; omitted members have the defaults of a new client", async () => {
    const set = await read(`
managed_by: production
clients:
  - client_id: ${ID}
    preset: spa
    name: Wiki
    redirect_uris: ["https://wiki.example.com/callback"]
    disabled: true
`);
    expect(set).toMatchObject({
      name: "production",
      clients: [
        {
          id: ID.toLowerCase(),
          disabled: true,
          settings: { name: "Wiki", tokenAuthMethod: "none", firstParty: false, idTokenClaims: "scope", logoUrl: null },
        },
      ],
    });
  });

  test("names no set: the set default; JSON is read too", async () => {
    expect(await read('{"clients": []}')).toEqual({ name: "default", clients: [] });
  });

  test.each([
    ["an empty file", "", "body: must be an object"],
    ["a list in place of the object", "- name: Wiki", "body: must be an object"],
    ["no clients", "managed_by: production", "clients: is required"],
    ["clients that are no list", "clients: {}", "clients: must be a list"],
    ["an unknown member of the file", "clients: []\nprune: true", "prune: unknown member"],
    ["a set with a space", "managed_by: my set\nclients: []", "managed_by: 1 to 64 characters"],
    ["a client that is text", "clients: [wiki]", "clients.0.body: must be an object"],
    ["a secret", "clients:\n  - {name: a, preset: web, client_secret: x}", "clients.0.client_secret: unknown member"],
    ["a number as name", "clients:\n  - {name: 7, preset: web}", "clients.0.name: must be a string"],
    ["neither preset nor method", "clients:\n  - name: a", "clients.0.token_endpoint_auth_method: is required"],
    ["an unknown preset", "clients:\n  - {name: a, preset: tablet}", "clients.0.preset: must be one of web, spa"],
    ["a client_id that is no UUID", "clients:\n  - {name: a, preset: web, client_id: wiki}", "clients.0.client_id"],
    ["a URI that is a number", "clients:\n  - {name: a, preset: web, redirect_uris: [1]}", "clients.0.redirect_uris.0"],
    ["null for a member without null", "clients:\n  - {name: a, preset: web, sector: null}", "clients.0.sector"],
    ["a key twice", "clients: []\nclients: []", "Map keys must be unique"],
    ["two documents", "clients: []\n---\nclients: []", "Source contains multiple documents"],
    ["broken YAML", "clients: [", "Flow sequence"],
    ["an unknown tag", "clients: !!js/function x", "Unresolved tag"],
    ["an alias without an anchor", "clients: [*a]", "Unresolved alias"],
    ["deep nesting", `clients: ${"[".repeat(100_000)}`, ""],
  ])("refused: %s", async (_, content, named) => {
    const problems = await read(content);
    expect(problems).toBeArray();
    expect((problems as string[]).join("\n")).toContain(named);
  });

  test("refused: aliases that expand to billions of nodes, within a second", async () => {
    const levels = Array.from({ length: 30 }, (_, index) => {
      const list = index === 0 ? "x" : `*a${index - 1}, *a${index - 1}, *a${index - 1}, *a${index - 1}`;
      return `a${index}: &a${index} [${list}]`;
    });
    expect(await read(levels.join("\n"))).toBeArray();
  });

  test("refused: more than the maximum of bytes, and bytes outside of UTF-8", async () => {
    expect(await read(`clients: []\n#${"x".repeat(CLIENT_FILE_MAX_BYTES)}`)).toEqual([
      expect.stringContaining("bytes"),
    ]);
    expect(await read(new Uint8Array([0xff, 0xfe, 0x00]))).toEqual([expect.stringContaining("UTF-8")]);
  });

  test("names every flaw of every client at once", async () => {
    const problems = await read("clients:\n  - {preset: web}\n  - {name: 1, preset: spa, scope: openid}");
    expect(problems).toEqual([
      "clients.0.name: is required",
      "clients.1.scope: unknown member",
      expect.stringContaining("clients.1.name: must be"),
    ]);
  });
});

describe("a product in a file (G386)", () => {
  const ORGANIZATION = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";
  const entry = (inputs: string, more = "") =>
    `clients:\n  - client_id: ${ID}\n    preset: grafana\n    inputs: {${inputs}}\n${more}`;
  const complete = `url: "https://grafana.example.com/", organization_id: ${ORGANIZATION}`;

  test("has the settings and claims of its preset, and members of the entry take precedence", async () => {
    const set = await read(entry(complete, "    name: Metrics\n    require_acr: aal2\n"));
    expect(set).toMatchObject({
      clients: [
        {
          id: ID.toLowerCase(),
          settings: {
            name: "Metrics",
            requireAcr: "aal2",
            tokenAuthMethod: "client_secret_basic",
            redirectUris: ["https://grafana.example.com/login/generic_oauth"],
            organizations: [ORGANIZATION],
            claimMappings: [{ claim: "groups" }, { claim: "grafana_role" }],
            preset: "grafana",
            presetInputs: { url: "https://grafana.example.com", organization_id: ORGANIZATION },
          },
        },
      ],
    });
    expect(await read(entry(complete))).toMatchObject({ clients: [{ settings: { name: "Grafana" } }] });
  });

  test.each([
    ["a missing input", entry(`organization_id: ${ORGANIZATION}`), "clients.0.inputs.url: is required"],
    ["an unknown input", entry(`${complete}, team: acme`), "clients.0.inputs.team: no input"],
    ["a malformed input", entry(`${complete.replace("https", "ftp")}`), "clients.0.inputs.url: an https address"],
    ["a loopback address outside of embedded mode", entry(complete.replace("https", "http")), "clients.0.inputs.url"],
    ["inputs of no product", "clients:\n  - {name: a, preset: web, inputs: {}}", "clients.0.inputs: unknown member"],
    ["an unknown product", "clients:\n  - {preset: grafanna, inputs: {}}", "or a product of docs/guides"],
    ["a product that is an API", "clients:\n  - {preset: hasura, inputs: {}}", "clients.0.preset: must be one of"],
    ["an unknown member", entry(complete, "    client_secret: x\n"), "clients.0.client_secret: unknown member"],
    ["a wrong member", entry(complete, "    name: 7\n"), "clients.0.name: must be a string"],
  ])("refused: %s", async (_, content, named) => {
    expect((await read(content)) as string[]).toEqual([expect.stringContaining(named)]);
  });
});

describe("a preset", () => {
  const USER_GRANTS = ["authorization_code", "refresh_token"];
  test.each([
    ["web", { applicationType: "web", tokenAuthMethod: "client_secret_basic", grantTypes: USER_GRANTS }],
    ["spa", { applicationType: "web", tokenAuthMethod: "none", grantTypes: USER_GRANTS }],
    ["native", { applicationType: "native", tokenAuthMethod: "none", grantTypes: USER_GRANTS }],
    ["machine", { tokenAuthMethod: "client_secret_basic", grantTypes: ["client_credentials"] }],
  ])("%s sets type, method, grants and PKCE", (preset, settings) => {
    const read = readNewClient({ name: "Wiki", preset });
    expect(read).toMatchObject({ ok: true, value: { settings: { ...settings, requirePkce: true } } });
  });

  test("yields to a member of the client", () => {
    const read = readNewClient({
      name: "Wiki",
      preset: "web",
      require_pkce: false,
      require_dpop_nonce: true,
      grant_types: ["authorization_code"],
    });
    expect(read).toMatchObject({
      value: {
        settings: {
          requirePkce: false,
          requireDpopNonce: true,
          grantTypes: ["authorization_code"],
          applicationType: "web",
        },
      },
    });
  });
});
