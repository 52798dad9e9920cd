/** Clients that a metadata document identifies: the fetch, the cache, and the identity of the client (G240 to G242). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import sharp from "sharp";
import type { OAuthRefusal } from "../../../../src/base/oauth-problem.ts";
import type { Result } from "../../../../src/base/result.ts";
import type { Deps } from "../../../../src/deps.ts";
import { readAvatar } from "../../../../src/flows/avatars/read.ts";
import { decideAuthorization } from "../../../../src/flows/oauth/authorize/decide-authorization.ts";
import { respondWithCode } from "../../../../src/flows/oauth/authorize/respond-with-code.ts";
import { validateAuthorization } from "../../../../src/flows/oauth/authorize/validate-authorization.ts";
import { changeClient } from "../../../../src/flows/oauth/clients/administer-clients.ts";
import { blockHost, unblockHost } from "../../../../src/flows/oauth/documents/block-hosts.ts";
import { findOrFetchClient } from "../../../../src/flows/oauth/documents/find-client.ts";
import { readDocument, readDocumentUrl } from "../../../../src/flows/oauth/documents/read-document.ts";
import { introspectToken } from "../../../../src/flows/oauth/introspect/introspect.ts";
import { type ReadUserInfo, readUserInfo } from "../../../../src/flows/oauth/introspect/userinfo.ts";
import { findLiveToken } from "../../../../src/flows/oauth/request/live-token.ts";
import { readParameters } from "../../../../src/flows/oauth/request/parameters.ts";
import { verifyClientJwt } from "../../../../src/flows/oauth/request/verify-client-jwt.ts";
import { issueTokensByGrant } from "../../../../src/flows/oauth/token/token.ts";
import {
  ANONYMOUS_RECORDS_PER_SUBJECT_MAX,
  ANONYMOUS_RECORDS_WINDOW_MS,
  CLIENT_DOCUMENT_AGE_MAX_MS,
  CLIENT_DOCUMENT_AGE_MIN_MS,
  CLIENT_DOCUMENT_DEADLINE_MS,
  CLIENT_DOCUMENT_FAILURE_MS,
  CLIENT_DOCUMENT_FETCHES_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX,
  CLIENT_DOCUMENT_FETCHES_PER_NETWORK_MAX,
  CLIENT_DOCUMENT_KEYS_MAX,
  CLIENT_DOCUMENT_LOGO_MAX_BYTES,
  CLIENT_DOCUMENT_MAX_BYTES,
  CLIENT_DOCUMENT_WINDOW_MS,
  CLIENT_DOCUMENTS_DISPLACED,
  CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX,
  CLIENT_DOCUMENTS_PER_HOST_MAX,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_PER_HOST_AND_NETWORK_MAX,
  CLIENT_KEYS_PER_HOST_MAX,
  CLIENT_KEYS_RETRY_MS,
  OAUTH_DOCUMENT_CLIENTS_MAX,
  OAUTH_PROTECTING_CONSENTS_MAX,
} from "../../../../src/limits/oauth-limits.ts";
import { deleteOrphanedAvatars } from "../../../../src/models/avatar/avatar.ts";
import { deleteUnusedDocuments } from "../../../../src/models/oauth-client/document-client.ts";
import type { OAuthClient } from "../../../../src/models/oauth-client/oauth-client.ts";
import { isRegisteredUri } from "../../../../src/models/oauth-client/redirect-uri.ts";
import type { SessionView } from "../../../../src/models/session/session.ts";
import { clientDocuments } from "../../../../src/providers/client-documents.ts";
import { clientKeySets } from "../../../../src/providers/client-keys.ts";
import { type Account, clientAt, MINUTE_MS, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { makePkce } from "../../../support/oauth.ts";
import { flowClient } from "../../../support/oauth-flows.ts";
import { until } from "../../../support/waiting.ts";

const CALLBACK = "http://localhost:7777/callback";
const JSON_TYPE = { "content-type": "application/json" };
/** Replaces the deadline of a fetch, which runs in real time. */
const DEADLINE_MS = 150;

let flows: Flows;
let deps: Deps;
let account: Account;
let server: ReturnType<typeof Bun.serve>;
/** The responses of the host of documents, by path. */
const responses = new Map<string, (request: Request) => Response | Promise<Response>>();
const fetched: string[] = [];

beforeAll(async () => {
  flows = await openFlows({ SERVICE_OAUTH_CIMD: "on" });
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      fetched.push(pathname);
      return responses.get(pathname)?.(request) ?? new Response("", { status: 404 });
    },
  });
  const config = { ...flows.deps.config, webhooks: { allows: () => false, loopback: true } };
  const documents = clientDocuments(flows.clock, { ...config.webhooks, deadlineMs: DEADLINE_MS });
  const keySets = clientKeySets({ ...config.webhooks, clock: flows.clock, documents });
  deps = { ...flows.deps, config, clientDocuments: documents, clientKeySets: keySets };
  account = await registerAccount(flows);
  await flows.deps.oauthResources.changed();
});
beforeEach(() => {
  // The windows of the limits are over.
  flows.clock.advance(MINUTE_MS);
  fetched.length = 0;
});
afterAll(async () => {
  await server.stop(true);
  await flows.close();
});

const urlOf = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const documentAt = (path: string, members: object = {}) => ({
  client_id: urlOf(path),
  client_name: "Notes",
  redirect_uris: [CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
  ...members,
});

function serve(path: string, members: object = {}, headers: Record<string, string> = {}): string {
  responses.set(path, () => Response.json(documentAt(path, members), { headers }));
  return urlOf(path);
}

function expectOk<T>(result: Result<T, OAuthRefusal>): T {
  if (!result.ok) throw new Error(result.error.description);
  return result.value;
}

const find = (clientId: string, permitsStale = false, by: Deps = deps, network?: string) =>
  findOrFetchClient(by, { clientId, permitsStale, requestContext: clientAt(network) });

async function problemOf(clientId: string, by: Deps = deps): Promise<string> {
  const found = await find(clientId, false, by);
  return found.ok ? "accepted" : found.error.description;
}

const PRIVATE_HOSTS = [
  "127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "[::1]",
  "[::ffff:7f00:1]",
  "10.0.0.1",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "[64:ff9b::7f00:1]",
  "168.63.129.16",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[2002:7f00:1::]",
  "0.0.0.0",
  "[::]",
  "192.168.0.1",
  "172.16.0.1",
  "100.64.0.1",
  "[fe80::1]",
  "１２７.0.0.1",
  "localhost",
  "metadata.google.internal",
];

interface KeysCall {
  readonly network?: string;
  readonly kid?: string;
  readonly kind?: OAuthClient["kind"];
}

/** Whether an assertion is verified by keys at an address that a document names. */
async function keysAt(jwksUri: string, by: Deps, call: KeysCall = {}): Promise<string> {
  const { network = "203.0.113.1", kid, kind = "document" } = call;
  const { privateKey } = await KEY;
  const header = { alg: "ES256", ...(kid === undefined ? {} : { kid }) };
  const jwt = await new SignJWT({}).setProtectedHeader(header).setIssuedAt().sign(privateKey);
  const client = { keys: [], jwksUri, kind } as unknown as OAuthClient;
  const verified = await verifyClientJwt(
    by,
    { client, jwt, network },
    { type: "client-authentication+jwt", algorithms: ["ES256"] },
  );
  if (!verified.ok) return verified.error.oauth;
  return verified.value ? "verified" : "no keys";
}

const LOGO = sharp({ create: { width: 40, height: 40, channels: 3, background: "teal" } })
  .png()
  .toBuffer();
const KEY = generateKeyPair("ES256", { extractable: true });

const UNREADABLE = "The metadata document of the application cannot be read.";

describe("the fetch of a document reaches no private address and no unbounded body (G240)", () => {
  const strict = (resolve: (name: string) => string[]): Deps => {
    const reach = { allows: () => false, loopback: false, resolve: async (name: string) => resolve(name) };
    const documents = clientDocuments(flows.clock, reach);
    const keySets = clientKeySets({ ...reach, clock: flows.clock, documents });
    return { ...deps, clientDocuments: documents, clientKeySets: keySets };
  };

  test.each(PRIVATE_HOSTS)("%s is not fetched, in any notation, neither for a document nor for keys", async (host) => {
    const by = strict(() => []);
    const { href } = new URL(`https://${host}:${server.port}/client.json`);
    expect([await problemOf(href, by), await keysAt(href, by), fetched]).toEqual([UNREADABLE, "no keys", []]);
  });

  test("a name with one private address among public addresses is not fetched", async () => {
    const by = strict(() => ["93.184.216.34", "127.0.0.1"]);
    expect([await problemOf(`https://app.example.com:${server.port}/c.json`, by), fetched]).toEqual([UNREADABLE, []]);
  });

  test("the connection goes to the checked addresses: a name is resolved once for a fetch (rebinding)", async () => {
    const answers = [["10.0.0.1"], ["127.0.0.1"]];
    let resolutions = 0;
    const by = strict(() => {
      resolutions += 1;
      return answers.shift() ?? [];
    });
    expect([await problemOf("https://rebind.example.com/c.json", by), resolutions]).toEqual([UNREADABLE, 1]);
  });

  test.each([301, 302, 303, 307, 308])("a redirect with the status %s is not followed", async (status) => {
    const path = `/redirect-${status}.json`;
    const location = serve("/target.json");
    // The body of the redirect is a document too: the status alone refuses the response.
    responses.set(path, () =>
      Response.json(documentAt(path), { status, headers: { location, refresh: `0; ${location}` } }),
    );
    expect([await problemOf(urlOf(path)), fetched]).toEqual([UNREADABLE, [path]]);
  });

  const attacks: [string, () => Response | Promise<Response>][] = [
    ["a status other than 200", () => Response.json(documentAt("/attack.json"), { status: 201 })],
    [
      "HTML",
      () => new Response(JSON.stringify(documentAt("/attack.json")), { headers: { "content-type": "text/html" } }),
    ],
    ["no type", () => new Response(Buffer.from("{}"))],
    ["a list", () => Response.json([documentAt("/attack.json")])],
    ["text that is not JSON", () => new Response("{", { headers: JSON_TYPE })],
    [
      "a document that is nested thousands of times",
      () => {
        const nested = `,"x":${"[".repeat(4_000)}${"]".repeat(4_000)}}`;
        return new Response(JSON.stringify(documentAt("/attack.json")).slice(0, -1) + nested, { headers: JSON_TYPE });
      },
    ],
    ["bytes that are not UTF-8", () => new Response(Buffer.from([0x7b, 0xff, 0x7d]), { headers: JSON_TYPE })],
    [
      "more bytes than the bound",
      () => Response.json({ ...documentAt("/attack.json"), x: "x".repeat(CLIENT_DOCUMENT_MAX_BYTES) }),
    ],
    [
      "a body without an end",
      () =>
        new Response(
          endless(() => Buffer.alloc(4096, 32)),
          { headers: JSON_TYPE },
        ),
    ],
    [
      "a body that stalls",
      () =>
        new Response(
          endless(() => undefined),
          { headers: JSON_TYPE },
        ),
    ],
    [
      "a body that comes a byte at a time",
      () =>
        new Response(
          endless(() => Buffer.from(" "), DEADLINE_MS / 10),
          { headers: JSON_TYPE },
        ),
    ],
    [
      "a compressed body, whose size is not the size of the text",
      () => {
        const text = gzipSync(JSON.stringify(documentAt("/attack.json")));
        return new Response(text, { headers: { ...JSON_TYPE, "content-encoding": "gzip" } });
      },
    ],
    ["no response in time", () => new Promise<Response>(() => undefined)],
  ];

  test.each(attacks)("%s is refused with one text", async (_, response) => {
    responses.set("/attack.json", response);
    expect(await problemOf(urlOf("/attack.json"))).toBe(UNREADABLE);
    expect(await flows.sql`select 1 from oauth_clients where external_id = ${urlOf("/attack.json")}`).toHaveLength(0);
  });

  test("keys are fetched without redirects, within the bytes and the number of keys of a document", async () => {
    const jwk = await exportJWK((await KEY).publicKey);
    let networks = 0;
    const tryWith = async (path: string, response: () => Response | Promise<Response>) => {
      responses.set(path, response);
      networks += 1;
      return await keysAt(urlOf(path), deps, { network: `203.0.113.${networks}` });
    };
    const set = (count: number, more: object = {}) =>
      Response.json({ keys: Array.from({ length: count }, () => jwk), ...more });
    const location = urlOf("/keys-few.json");
    expect(await tryWith("/keys-few.json", () => set(CLIENT_DOCUMENT_KEYS_MAX))).toBe("verified");
    expect(await tryWith("/keys-many.json", () => set(CLIENT_DOCUMENT_KEYS_MAX + 1))).toBe("no keys");
    const padding = { x: "x".repeat(CLIENT_DOCUMENT_MAX_BYTES) };
    expect(await tryWith("/keys-long.json", () => set(1, padding))).toBe("no keys");
    const moved = () => Response.json({ keys: [jwk] }, { status: 302, headers: { location } });
    expect(await tryWith("/keys-moved.json", moved)).toBe("no keys");
    expect(await tryWith("/keys-never.json", () => new Promise<Response>(() => undefined))).toBe("no keys");
    const stalled = new Response(
      endless(() => undefined),
      { headers: JSON_TYPE },
    );
    expect(await tryWith("/keys-stalled.json", () => stalled)).toBe("no keys");
    expect(await keysAt(urlOf("/keys-many.json"), deps, { kind: "registered" })).toBe("verified");
  });

  test("keys that could not be fetched are fetched after a pause, however many assertions come", async () => {
    const fetchesAfterFive = async () => {
      for (let count = 0; count < 5; count += 1) {
        expect(await keysAt(urlOf("/keys-absent.json"), deps)).toBe("no keys");
      }
      return fetched.length;
    };
    expect(await fetchesAfterFive()).toBe(1);
    flows.clock.advance(CLIENT_KEYS_RETRY_MS);
    expect(await fetchesAfterFive()).toBe(2);
  });

  test.each(PRIVATE_HOSTS)("a logo at %s is not fetched, and the client has none", async (host) => {
    const path = "/private-logo.json";
    const { href } = new URL(`https://${host}:${server.port}/logo.png`);
    const reach = { ...deps.config.webhooks, allows: () => false, loopback: false, resolve: async () => [] };
    const { fetchPicture } = clientDocuments(flows.clock, reach);
    const guarded = { ...deps, clientDocuments: { ...deps.clientDocuments, fetchPicture } };
    await flows.sql`delete from oauth_clients where external_id = ${urlOf(path)}`;
    await deps.oauthClients.changed();
    fetched.length = 0;
    const found = expectOk(await find(serve(path, { logo_uri: href }), false, guarded));
    expect([found?.logoUrl, fetched]).toEqual([null, [path]]);
  });

  test("a logo with a wrong status or type, too many bytes, or without an end counts as none", async () => {
    const logo = await LOGO;
    const bytes = (content: Buffer, status = 200) => new Response(new Uint8Array(content), { status });
    const logos: [string, () => Response | Promise<Response>, boolean][] = [
      ["fits", () => bytes(logo), true],
      ["missing", () => bytes(logo, 404), false],
      ["moved", () => new Response("", { status: 302, headers: { location: urlOf("/logo-fits.png") } }), false],
      ["long", () => bytes(Buffer.concat([logo, Buffer.alloc(CLIENT_DOCUMENT_LOGO_MAX_BYTES)])), false],
      ["endless", () => new Response(endless(() => Buffer.alloc(65_536))), false],
      ["script", () => bytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')), false],
    ];
    for (const [name, response, isStored] of logos) {
      responses.set(`/logo-${name}.png`, response);
      const url = serve(`/with-${name}.json`, { logo_uri: urlOf(`/logo-${name}.png`) });
      const client = expectOk(await find(url, false, deps, name));
      flows.clock.advance(MINUTE_MS);
      expect([name, client?.logoUrl !== null]).toEqual([name, isStored]);
    }
  });

  test("a failure takes one of two durations, so the duration reveals no address", async () => {
    const before = flows.clock.sleeps.length;
    await problemOf(
      "https://127.0.0.1/c.json",
      strict(() => []),
    );
    await problemOf(
      "https://nowhere.example.com/c.json",
      strict(() => []),
    );
    const slow = clientDocuments(flows.clock, {
      ...deps.config.webhooks,
      resolve: async () => {
        flows.clock.advance(CLIENT_DOCUMENT_FAILURE_MS + 1);
        return [];
      },
    });
    await problemOf("https://slow.example.com/c.json", { ...deps, clientDocuments: slow });
    const restMs = CLIENT_DOCUMENT_DEADLINE_MS - CLIENT_DOCUMENT_FAILURE_MS - 1;
    expect(flows.clock.sleeps.slice(before)).toEqual([CLIENT_DOCUMENT_FAILURE_MS, CLIENT_DOCUMENT_FAILURE_MS, restMs]);
  });

  const outcomeOf = async (finding: ReturnType<typeof find>) => {
    const found = await finding;
    return found.ok ? "found" : found.error.oauth;
  };

  test("a host is fetched a few times at once, and a network has a part of all fetches in progress", async () => {
    const responded = Promise.withResolvers<void>();
    const slow = (path: string) => {
      responses.set(path, () => responded.promise.then(() => Response.json(documentAt(path))));
      return urlOf(path);
    };
    const patient = { ...deps, clientDocuments: clientDocuments(flows.clock, deps.config.webhooks) };
    const ofHost = Array.from({ length: CLIENT_DOCUMENT_FETCHES_PER_HOST_MAX + 1 }, (_, n) =>
      outcomeOf(find(slow(`/slow-${n}.json`), false, patient, `2001:db8:${n}::/64`)),
    );
    expect(await Promise.race(ofHost)).toBe("temporarily_unavailable");
    responded.resolve();
    const refused = (outcomes: readonly string[]) => outcomes.filter((each) => each === "temporarily_unavailable");
    const atHost = await Promise.all(ofHost);
    expect([refused(atHost).length, new Set(atHost)]).toEqual([1, new Set(["temporarily_unavailable", "found"])]);
    const resolved = Promise.withResolvers<readonly string[]>();
    const reach = { allows: () => false, loopback: false, resolve: () => resolved.promise };
    const waiting = { ...deps, clientDocuments: clientDocuments(flows.clock, reach) };
    const ofNetwork = Array.from({ length: CLIENT_DOCUMENT_FETCHES_PER_NETWORK_MAX + 1 }, (_, n) =>
      outcomeOf(find(`https://host-${n}.example.com/c.json`, false, waiting)),
    );
    expect(await Promise.race(ofNetwork)).toBe("temporarily_unavailable");
    const neighbour = outcomeOf(find("https://other.example.com/c.json", false, waiting, "2001:db8:ffff::/64"));
    resolved.resolve([]);
    expect([refused(await Promise.all(ofNetwork)).length, await neighbour]).toEqual([1, "invalid_client"]);
  });

  test("slow documents of a dozen networks leave slots to the first fetch of every other network (G337)", async () => {
    const resolved = Promise.withResolvers<readonly string[]>();
    let begun = 0;
    const resolve = () => {
      begun += 1;
      return resolved.promise;
    };
    const reach = { allows: () => false, loopback: false, resolve };
    const waiting = { ...deps, clientDocuments: clientDocuments(flows.clock, reach) };
    const fetch = (name: string, network: string) =>
      outcomeOf(find(`https://${name}.example.com/c.json`, false, waiting, network));
    let refused = 0;
    const slow = Array.from({ length: 96 }, async (_, n) => {
      await fetch(`slow-${n}`, `2001:db8:${n % 12}::/64`);
      refused += 1;
    });
    await until("every slow fetch has begun or is refused", async () => begun + refused === slow.length);
    expect(begun).toBeLessThan(CLIENT_DOCUMENT_FETCHES_MAX);
    const others = Array.from({ length: 4 }, (_, n) => fetch(`other-${n}`, `2001:db9:${n}::/64`));
    resolved.resolve([]);
    expect(await Promise.all(others)).toEqual(Array(4).fill("invalid_client"));
    await Promise.all(slow);
  });

  test("no network locks a host for others: fetches of a host have parts, and a known document its own", async () => {
    const known = serve("/in-use.json");
    await find(known);
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    // A failed fetch counts.
    const attempts = async (network: string, count: number) => {
      const outcomes: string[] = [];
      for (let n = 0; n < count; n += 1) {
        outcomes.push(await outcomeOf(find(urlOf(`/none-${network}-${n}.json`), false, deps, network)));
      }
      return outcomes.filter((outcome) => outcome === "invalid_client").length;
    };
    const most = CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX;
    expect(await attempts("a", most + 2)).toBe(most);
    expect(await attempts("b", most + 2)).toBe(CLIENT_DOCUMENTS_PER_HOST_MAX - most);
    const refused = await find(urlOf("/none.json"), false, deps, "c");
    expect(refused.ok ? "" : refused.error.bound).toBe("client_documents");
    fetched.length = 0;
    expect([await outcomeOf(find(known)), fetched]).toEqual(["found", ["/in-use.json"]]);
    const elsewhere = find(
      "https://127.0.0.2/c.json",
      false,
      strict(() => []),
    );
    expect(await outcomeOf(elsewhere)).toBe("invalid_client");
  });
});

/** A body whose parts never end; a part that is undefined never comes. */
function endless(part: () => Buffer | undefined, pauseMs = 0): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = part();
      if (!bytes) return await new Promise(() => undefined);
      if (pauseMs > 0) await Bun.sleep(pauseMs);
      controller.enqueue(bytes);
    },
  });
}

describe("a document names the own client and no further client (G241)", () => {
  const refused: [string, object][] = [
    ["another client", { client_id: "https://bank.example.com/client.json" }],
    ["no client", { client_id: undefined }],
    ["a secret", { client_secret: "s3cret" }],
    ["a method with a secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["a private key", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "EC", d: "x" }] } }],
    ["a key with NUL", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "EC", kid: "\0" }] } }],
    [
      "a key with half of a character",
      { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "EC", "\ud800": "x" }] } },
    ],
    ["a symmetric key", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "oct" }] } }],
    ["no redirect URI", { redirect_uris: [] }],
    ["a scheme that a browser runs", { redirect_uris: ["javascript:alert(1)//"] }],
    ["http to another machine", { redirect_uris: ["http://app.example.com/callback"] }],
    ["a scheme without a domain", { redirect_uris: ["myapp:/callback"] }],
    ["a grant without a user", { grant_types: ["client_credentials"] }],
    ["a member of a wrong type", { redirect_uris: "https://app.example.com/callback" }],
  ];
  test.each(refused)("%s is refused", (_, members) => {
    const url = "https://app.example.com/client.json";
    const metadata = JSON.parse(JSON.stringify({ ...documentAt("/x"), client_id: url, ...members }));
    expect(readDocument(url, metadata, new Date()).ok).toBe(false);
  });

  test.each([undefined, "", " "])("the name %p counts as absent: the client has the name Application", (name) => {
    const url = "https://app.example.com/client.json";
    const read = readDocument(url, { ...documentAt("/x"), client_id: url, client_name: name }, new Date());
    expect(read.ok && read.value.client.name).toBe("Application");
  });

  const native = { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" };
  const published: [string, object, string][] = [
    [
      "https://claude.ai/oauth/claude-code-client-metadata",
      { client_name: "Claude Code", redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] },
      "http://localhost:54321/callback",
    ],
    [
      "https://claude.ai/oauth/mcp-oauth-client-metadata",
      { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] },
      "https://claude.ai/api/mcp/auth_callback",
    ],
    [
      "https://vscode.dev/oauth/client-metadata.json",
      { client_name: "VS Code", redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"] },
      "http://127.0.0.1:59656/",
    ],
    [
      "https://github.com/copilot/cli/client-metadata.json",
      { client_name: "Copilot", application_type: "native", redirect_uris: ["http://127.0.0.1:33418/"] },
      "http://127.0.0.1:60005/",
    ],
  ];
  test.each(published)("the form of %s is accepted, with the redirect URI of the client", (url, members, sent) => {
    expect(readDocumentUrl(url, { loopback: false })?.href).toBe(url);
    const read = readDocument(url, { client_id: url, ...native, ...members }, new Date());
    if (!read.ok) throw new Error(read.error);
    expect(isRegisteredUri(sent, read.value.client.redirectUris, read.value.client)).toBe(true);
    expect(isRegisteredUri("https://app.example.com/callback", read.value.client.redirectUris, read.value.client)).toBe(
      false,
    );
  });

  test.each([
    "https://app.example.com",
    "https://app.example.com/",
    "https://user@app.example.com/c.json",
    "https://app.example.com/c.json#x",
    "https://app.example.com/c.json#",
    "https://app.example.com/a/../c.json",
    "https://app.example.com/a/%2e%2e/c.json",
    "https://APP.example.com/c.json",
    "https://app.example.com:443/c.json",
    "http://app.example.com/c.json",
    `https://app.example.com/${"a".repeat(500)}`,
    "https:app.example.com/c.json",
  ])("%s is no client_id", (url) => {
    expect(readDocumentUrl(url, { loopback: true })).toBeUndefined();
  });

  test("documents on loopback count only during development", () => {
    expect(readDocumentUrl("http://127.0.0.1:3000/c.json", { loopback: true })?.port).toBe("3000");
    expect(readDocumentUrl("http://127.0.0.1:3000/c.json", { loopback: false })).toBeUndefined();
  });

  test("with `listed`, only documents of the listed hosts are fetched", async () => {
    const listing = (...hosts: string[]): Deps => {
      const { oauth } = deps.config;
      return { ...deps, config: { ...deps.config, oauth: { ...oauth, clientDocuments: { mode: "listed", hosts } } } };
    };
    const url = serve("/listed.json");
    expect(await find(url, false, listing("*.example.com", "app.example.com"))).toEqual({ ok: true, value: undefined });
    expect(fetched).toEqual([]);
    expect((await find(url, false, listing("127.0.0.1"))).ok).toBe(true);
    expect(await problemOf(url, listing("app.example.com"))).toBe("client_id names no application.");
  });

  test("a document client is never first-party, and an administrator can only disable the client", async () => {
    const url = serve("/first-party.json", { first_party: true });
    const client = expectOk(await find(url));
    expect([client?.kind, client?.firstParty]).toEqual(["document", false]);
    const by = { id: client?.id ?? "", caller: { session: account.signedIn.session, role: "admin" } as never };
    const change = (settings: object) => changeClient(deps, { ...by, change: settings, client: clientAt() });
    expect((await change({ firstParty: true })).ok).toBe(false);
    expect((await change({ disabled: true })).ok).toBe(true);
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MAX_MS);
    fetched.length = 0;
    expect([await problemOf(url), fetched]).toEqual(["client_id names no application.", []]);
  });
});

describe("the cache of documents", () => {
  test("a fresh document is not fetched again; its time is bounded from below and above", async () => {
    const [short, long] = [
      serve("/short.json", {}, { "cache-control": "no-store" }),
      serve("/long.json", {}, { "cache-control": "max-age=999999999" }),
    ];
    for (const [url, ageMs] of [
      [short, CLIENT_DOCUMENT_AGE_MIN_MS],
      [long, CLIENT_DOCUMENT_AGE_MAX_MS],
    ] as const) {
      await find(url);
      fetched.length = 0;
      flows.clock.advance(ageMs - 1);
      await find(url);
      expect(fetched).toEqual([]);
      flows.clock.advance(1);
      await find(url);
      expect(fetched).toHaveLength(1);
    }
  });

  test("parallel requests share one fetch and one client", async () => {
    flows.clock.advance(ANONYMOUS_RECORDS_WINDOW_MS);
    const url = serve("/parallel.json");
    const found = await Promise.all(Array.from({ length: 20 }, () => find(url)));
    expect(fetched.length).toBe(1);
    expect(new Set(found.map((each) => (each.ok ? each.value?.id : ""))).size).toBe(1);
    const id = expectOk(await find(url))?.id ?? "";
    const records = await flows.sql`
      select 1 from audit_logs where action = 'oauth.client.document_seen' and resource_id = ${id}`;
    expect(records).toHaveLength(1);
  });

  test("Documents, new and changed, write a bounded number of audit records in an hour (G381).", async () => {
    const written = async (action: string, act: () => Promise<void>) => {
      const count = async () => {
        const [row] = await flows.sql`select count(*)::int as count from audit_logs where action = ${action}`;
        return row?.count as number;
      };
      const before = await count();
      await act();
      return (await count()) - before;
    };
    const documents = Array.from(
      { length: 3 * ANONYMOUS_RECORDS_PER_SUBJECT_MAX },
      (_, index) => `/flood-${index}.json`,
    );
    const fetchAll = async (name: string) => {
      for (const [index, path] of documents.entries()) {
        if (index % CLIENT_DOCUMENTS_PER_HOST_MAX === 0) flows.clock.advance(MINUTE_MS);
        expectOk(await find(serve(path, { client_name: name }), false, deps, `198.51.100.${index}`));
      }
    };
    const most = ANONYMOUS_RECORDS_PER_SUBJECT_MAX;
    flows.clock.advance(ANONYMOUS_RECORDS_WINDOW_MS);
    expect(await written("oauth.client.document_seen", () => fetchAll("Notes"))).toBe(most);
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect(await written("oauth.client.document_changed", () => fetchAll("Other"))).toBe(most);
    flows.clock.advance(ANONYMOUS_RECORDS_WINDOW_MS);
    expect(await written("oauth.client.document_changed", () => fetchAll("Third"))).toBe(most);
    const [client] =
      await flows.sql`select name from oauth_clients where external_id = ${urlOf(documents.at(-1) ?? "")}`;
    expect(client?.name).toBe("Third");
  });

  test("a failure is not kept; a refresh uses the last document for a day", async () => {
    const url = serve("/stale.json");
    await find(url);
    responses.set("/stale.json", () => new Response("", { status: 503 }));
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect([await problemOf(url), (await find(url, true)).ok]).toEqual([UNREADABLE, true]);
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MAX_MS);
    expect((await find(url, true)).ok).toBe(false);
    serve("/stale.json");
    expect((await find(url)).ok).toBe(true);
  });

  test("beyond the bound a new client takes the row of the client that was unused for the longest time", async () => {
    const clientsMax = 2 * CLIENT_DOCUMENTS_DISPLACED;
    expect(OAUTH_DOCUMENT_CLIENTS_MAX).toBe(100_000);
    await flows.sql`delete from oauth_clients where kind = 'document'`;
    await flows.sql`
      insert into oauth_clients (
        id, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris, grant_types, scopes,
        resources, audiences, first_party, subject_type, kind, external_id, document_hash, fetched_at, fresh_until,
        created_at, updated_at)
      select gen_random_uuid(), 'Flood', 'native', 'none', '{}', '{}', '{}', '{}', '{}', '{}', false, 'public',
             'document', 'https://flood.example.com/' || n, 'x', at, at, at, at
      from generate_series(1, ${clientsMax}) n,
           lateral (select to_timestamp(${flows.clock.now() / 1000}) - n * interval '1 second' as at) times`;
    const late = { clientId: serve("/late.json"), requestContext: clientAt(), clientsMax };
    expect((await findOrFetchClient(deps, late)).ok).toBe(true);
    const [left] = await flows.sql`
      select count(*)::int as rows, min(fetched_at) as oldest from oauth_clients where kind = 'document'`;
    const oldest = flows.clock.now() - (clientsMax - CLIENT_DOCUMENTS_DISPLACED) * 1000;
    expect(left?.rows).toBe(clientsMax - CLIENT_DOCUMENTS_DISPLACED + 1);
    expect(left?.oldest.getTime()).toBe(oldest);
    await flows.sql`delete from oauth_clients where external_id like 'https://flood.example.com/%'`;
    await deps.oauthClients.changed();
  });

  test("The consents of one account keep the documents of its latest fifty consents alone (G382).", async () => {
    const clientsMax = OAUTH_PROTECTING_CONSENTS_MAX + 10;
    await flows.sql`delete from oauth_clients where kind = 'document'`;
    await flows.sql`
      with pinned as (
        insert into oauth_clients (
          id, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris, grant_types, scopes,
          resources, audiences, first_party, subject_type, kind, external_id, document_hash, fetched_at, fresh_until,
          created_at, updated_at)
        select gen_random_uuid(), 'Pinned', 'native', 'none', '{}', '{}', '{}', '{}', '{}', '{}', false, 'public',
               'document', 'https://pinned.example.com/' || n, 'x', at, at, at, at
        from generate_series(1, ${clientsMax}) n,
             lateral (select to_timestamp(${flows.clock.now() / 1000}) - n * interval '1 second' as at) times
        returning id, created_at
      )
      insert into oauth_grants (id, user_id, client_id, scopes, resources, created_at, updated_at)
      select gen_random_uuid(), ${account.userId}, id, '{}', '{}', created_at, created_at from pinned`;
    const late = { clientId: serve("/pinned.json"), requestContext: clientAt(), clientsMax };
    expect((await findOrFetchClient(deps, late)).ok).toBe(true);
    const [left] = await flows.sql`select count(*)::int as rows from oauth_clients where kind = 'document'`;
    expect(left?.rows).toBe(OAUTH_PROTECTING_CONSENTS_MAX + 1);
  });

  test("a client without a grant is deleted, and returns with its id", async () => {
    const url = serve("/unused.json");
    const before = expectOk(await find(url));
    const later = new Date(flows.clock.now() + 1);
    await flows.deps.database.run("oauth_client.sweep_documents", (sql) => deleteUnusedDocuments(sql, later, 1_000));
    await deps.oauthClients.changed();
    expect(await deps.oauthClients.load(url)).toBeUndefined();
    expect(expectOk(await find(url))?.id).toBe(before?.id ?? "");
  });
});

describe("a document client at the provider (G242)", () => {
  const pkce = makePkce();
  async function begin(url: string, parameters: Record<string, string> = {}) {
    const client = expectOk(await find(url));
    if (!client) throw new Error("the client is unknown");
    const search = new URLSearchParams({
      response_type: "code",
      client_id: url,
      redirect_uri: "http://localhost:9999/callback",
      scope: "openid",
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      ...parameters,
    });
    const validated = await validateAuthorization(deps, search);
    if (!validated.ok) throw new Error(validated.error.refusal.description);
    const request = { parameters: validated.value, createdAt: new Date(flows.clock.now()) };
    const session = (await deps.revocations.session(account.signedIn.session.id)) as SessionView;
    return { client, request, session, requestContext: clientAt() };
  }

  /** A redirect URI of https, because loopback addresses need consent each time. */
  const WEB = "https://notes.example.com/callback";
  const web = { redirect_uri: WEB };
  const stepOf = async (url: string, parameters: Record<string, string> = web) => {
    const { client, request, session } = await begin(url, parameters);
    return (await decideAuthorization(deps, client, request, session)).kind;
  };
  const consent = async (url: string, parameters: Record<string, string> = web) =>
    expectOk(await respondWithCode(deps, { ...(await begin(url, parameters)), asked: true }));

  const exchange = async (url: string, response: { readonly parameters: { readonly code?: string } }, more = {}) => {
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: url,
      code: response.parameters.code ?? "",
      redirect_uri: WEB,
      code_verifier: pkce.verifier,
      ...more,
    });
    return await issueTokensByGrant(deps, {
      authorization: null,
      parameters: expectOk(readParameters(form)),
      proof: null,
      requestContext: clientAt(),
    });
  };

  test("tokens name the client by its address, and any port of loopback is the client's", async () => {
    const url = serve("/tokens.json");
    const response = await consent(url, {});
    const issued = expectOk(await exchange(url, response, { redirect_uri: "http://localhost:9999/callback" }));
    const [access, id] = [decodeJwt(issued.accessToken), decodeJwt(issued.idToken ?? "")];
    expect([access.client_id, id.aud]).toEqual([url, url]);
    const user = await readUserInfo(deps, { token: issued.accessToken, scheme: "Bearer", proof: null });
    expect(expectOk(user as Result<ReadUserInfo, OAuthRefusal>).user.sub).toBe(account.userId);
    const hint = { id_token_hint: issued.idToken ?? "", redirect_uri: "http://localhost:9999/callback" };
    expect((await begin(url, hint)).request.parameters.hintedSubject).toBe(account.userId);
  });

  test("a blocked host has no client: its tokens end, and after the permission users sign in again", async () => {
    const url = serve("/blocked.json", { redirect_uris: [WEB] });
    const { accessToken } = expectOk(await exchange(url, await consent(url)));
    const by = { caller: { actor: account.signedIn.session, session: account.signedIn.session } as never };
    const host = { ...by, client: clientAt(), host: "127.0.0.1" };
    for (const text of ["", "https://x.example", "a b", "x.example:8443", "*.", "x.example/path"]) {
      expect([text, (await blockHost(deps, { ...host, host: text })).ok]).toEqual([text, false]);
    }
    expect((await blockHost(deps, { ...host, host: "*.example.com" })).ok).toBe(true);
    for (const name of ["a.example.com", "a.EXAMPLE.com.", "a.example.com.."]) {
      expect([name, deps.blockedHosts.isBlocked(name)]).toEqual([name, true]);
    }
    expect(await findLiveToken(deps, accessToken)).toBeDefined();
    for (const _ of [1, 2]) expect((await blockHost(deps, host)).ok).toBe(true);
    fetched.length = 0;
    expect([await problemOf(url), fetched]).toEqual(["client_id names no application.", []]);
    expect(await problemOf(urlOf("/unseen.json"))).toBe("client_id names no application.");
    expect(await findLiveToken(deps, accessToken)).toBeUndefined();
    const sid = String(decodeJwt(accessToken).sid);
    expect(await flows.sql`select 1 from session_events where session_id = ${sid}`).toHaveLength(1);
    expect((await unblockHost(deps, host)).ok).toBe(true);
    expect((await unblockHost(deps, host)).ok).toBe(false);
    expect(await findLiveToken(deps, accessToken)).toBeUndefined();
    expect(await stepOf(url)).not.toBe("refuse");
    expect(await flows.sql`select 1 from audit_logs where action like 'oauth.host.%'`).toHaveLength(3);
    await unblockHost(deps, { ...host, host: "*.example.com" });
  });

  test.each([
    ["evil.invalid", "evil.invalid."],
    ["EVIL.invalid.", "evil.invalid"],
    ["bücher.invalid", "xn--bcher-kva.invalid."],
    ["[2001:DB8:0::1]", "[2001:db8::1]"],
    ["0x7f.1", "127.0.0.1"],
  ])("%s is blocked in every notation, such as %s (G336)", async (blocked, notation) => {
    const by = { caller: { actor: account.signedIn.session, session: account.signedIn.session } as never };
    const host = { ...by, client: clientAt(), host: blocked };
    expect((await blockHost(deps, host)).ok).toBe(true);
    expect(deps.blockedHosts.isBlocked(notation)).toBe(true);
    const found = await find(`https://${notation}/client.json`);
    expect(found.ok ? found.value : undefined).toBeUndefined();
    const [row] = await flows.sql`select host from oauth_blocked_hosts order by created_at desc limit 1`;
    expect((await unblockHost(deps, { ...host, host: row?.host })).ok).toBe(true);
  });

  test("an API introspects the tokens of the client by its address, and no other API does", async () => {
    const url = serve("/introspected.json", { redirect_uris: [WEB] });
    const api = "https://introspecting.example.com/";
    const scopes = [{ name: "files:read", public: true, sensitive: false }];
    await flows.sql`
      insert into oauth_resources (id, identifier, identifier_key, name, scopes, open_to, created_at, updated_at)
      values (${crypto.randomUUID()}, ${api}, ${api}, 'Files', ${flows.sql.json(scopes)}, 'any', now(), now())`;
    await deps.oauthResources.changed();
    const asked = { ...web, scope: "files:read", resource: api };
    const issued = expectOk(await exchange(url, await consent(url, asked), { resource: api }));
    const introspect = async (audience: string) => {
      const settings = { audiences: [audience], grantTypes: ["client_credentials"], redirectUris: [] } as const;
      const { client, secret } = await flowClient(flows, account, settings);
      const authorization = `Basic ${Buffer.from(`${client.id}:${secret}`).toString("base64")}`;
      const parameters = expectOk(readParameters(new URLSearchParams({ token: issued.accessToken })));
      return expectOk(await introspectToken(deps, { authorization, parameters, requestContext: clientAt() })).state;
    };
    expect(await introspect(api)).toMatchObject({ active: true, client_id: url, scope: "files:read", aud: api });
    expect(await introspect("https://other.example.com/")).toEqual({ active: false });
    const { id } = expectOk(await find(url)) as OAuthClient;
    await flows.sql`update oauth_clients set disabled_at = now() where id = ${id}`;
    await deps.oauthClients.changed();
    expect(await introspect(api)).toEqual({ active: false });
  });

  test("a changed document needs consent again, and an earlier consent does not return", async () => {
    const url = serve("/changed.json", { redirect_uris: [WEB] });
    await consent(url, { ...web, scope: "openid email" });
    expect(await stepOf(url, { ...web, scope: "openid email" })).toBe("code");
    serve("/changed.json", { redirect_uris: [WEB], tos_uri: "https://notes.example.com/terms" });
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect(await stepOf(url)).toBe("code");
    serve("/changed.json", { redirect_uris: [WEB], client_name: "Your bank" });
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect(await stepOf(url)).toBe("consent");
    await consent(url);
    expect([await stepOf(url), await stepOf(url, { ...web, scope: "openid email" })]).toEqual(["code", "consent"]);
  });

  test("the logo is a picture of this service, kept by the sweeper; a changed logo needs consent again", async () => {
    const picture = async (background: string) => {
      const content = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer();
      responses.set("/logo.png", () => new Response(new Uint8Array(content)));
    };
    const members = { redirect_uris: [WEB], logo_uri: urlOf("/logo.png") };
    await picture("teal");
    const url = serve("/logo.json", members);
    await consent(url);
    const before = expectOk(await find(url));
    const path = new URL(before?.logoUrl ?? "").pathname;
    expect(before?.logoUrl).toBe(`${deps.config.urls.publicBaseUrl}${path}`);
    const later = new Date(flows.clock.now() + MINUTE_MS);
    await flows.deps.database.run("avatar.sweep", (sql) => deleteOrphanedAvatars(sql, later, 1_000));
    const stored = await readAvatar(deps, path.replace("/avatars/", ""));
    expect(stored.ok && (await sharp(stored.value).metadata())).toMatchObject({ format: "webp", width: 256 });
    // An unchanged document keeps the picture that users allowed.
    await picture("red");
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect([await stepOf(url), expectOk(await find(url))?.logoUrl]).toEqual(["code", before?.logoUrl ?? ""]);
    serve("/logo.json", { ...members, tos_uri: "https://notes.example.com/terms" });
    flows.clock.advance(CLIENT_DOCUMENT_AGE_MIN_MS);
    expect([await stepOf(url), expectOk(await find(url))?.logoUrl === before?.logoUrl]).toEqual(["consent", false]);
  });

  test("public scopes of APIs that are open to any client are granted, others are left out", async () => {
    const url = serve("/scopes.json", { redirect_uris: [WEB] });
    const scopes = [
      { name: "notes:read", description_en: "Read notes", public: true, sensitive: false },
      { name: "notes:admin", description_en: "Administer notes", public: false, sensitive: false },
    ];
    const [open, closed] = ["https://open.example.com/mcp", "https://closed.example.com/mcp"];
    for (const [identifier, openTo] of [
      [open, "any"],
      [closed, "registered"],
    ]) {
      await flows.sql`
        insert into oauth_resources (id, identifier, identifier_key, name, scopes, open_to, created_at, updated_at)
        values (${crypto.randomUUID()}, ${identifier ?? ""}, ${identifier ?? ""}, 'Notes', ${flows.sql.json(scopes)},
                ${openTo ?? ""}, now(), now())`;
    }
    await deps.oauthResources.changed();
    const asked = { ...web, scope: "openid notes:read notes:admin", resource: open };
    expect((await begin(url, asked)).request.parameters.scopes).toEqual(["openid", "notes:read"]);
    await expect(begin(url, { ...asked, resource: closed })).rejects.toThrow(
      "The client may not ask for this resource.",
    );
    const issued = expectOk(await exchange(url, await consent(url, asked), { resource: open }));
    const { aud, scope } = decodeJwt(issued.accessToken);
    expect([[aud].flat()[0], scope]).toEqual([open, "openid notes:read"]);
    const late = await consent(url, asked);
    await flows.sql`update oauth_resources set open_to = 'registered' where identifier = ${open}`;
    await deps.oauthResources.changed();
    expect((await exchange(url, late, { resource: open })).ok).toBe(false);
    await expect(begin(url, asked)).rejects.toThrow();
  });
});

describe("the keys of many clients cost their host a bounded number of fetches (G380)", () => {
  /** Every address of the host serves keys, as a server does that ignores the query. */
  async function serveKeys(name: string, count: number, kid?: string): Promise<string[]> {
    const jwk = { ...(await exportJWK((await KEY).publicKey)), ...(kid === undefined ? {} : { kid }) };
    const paths = Array.from({ length: count }, (_, index) => `/${name}-${index}.json`);
    for (const path of paths) responses.set(path, () => Response.json({ keys: [jwk] }));
    return paths.map(urlOf);
  }

  async function outcomes(uris: readonly string[], networks: number, kid?: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const [index, uri] of uris.entries()) {
      const network = `198.51.100.${index % networks}`;
      const outcome = await keysAt(uri, deps, { network, ...(kid === undefined ? {} : { kid }) });
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  test("of one network, and of any number of networks, in a minute", async () => {
    const one = await serveKeys("one-network", CLIENT_DOCUMENTS_PER_HOST_MAX);
    const ofNetwork = CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX;
    expect(await outcomes(one, 1)).toEqual({ verified: ofNetwork, temporarily_unavailable: one.length - ofNetwork });
    expect(fetched).toHaveLength(ofNetwork);
    flows.clock.advance(MINUTE_MS);
    fetched.length = 0;
    const many = await serveKeys("networks", 3 * CLIENT_DOCUMENTS_PER_HOST_MAX);
    expect(await outcomes(many, many.length)).toEqual({
      verified: CLIENT_DOCUMENTS_PER_HOST_MAX,
      temporarily_unavailable: many.length - CLIENT_DOCUMENTS_PER_HOST_MAX,
    });
    expect(fetched).toHaveLength(CLIENT_DOCUMENTS_PER_HOST_MAX);
  });

  test("documents and keys of a host share the fetches.", async () => {
    const [keys = ""] = await serveKeys("shared", 1);
    for (let index = 0; index < CLIENT_DOCUMENTS_PER_HOST_MAX; index += 1) {
      await find(serve(`/shared-document-${index}.json`), false, deps, `198.51.100.${index}`);
    }
    fetched.length = 0;
    expect([await keysAt(keys, deps), fetched]).toEqual(["temporarily_unavailable", []]);
    flows.clock.advance(MINUTE_MS);
    expect(await keysAt(keys, deps)).toBe("verified");
  });

  test("also for unknown key ids of addresses that served keys before, and held keys verify meanwhile.", async () => {
    const perMinute = CLIENT_DOCUMENTS_PER_HOST_MAX;
    const uris = await serveKeys("held", CLIENT_KEYS_PER_HOST_MAX + perMinute, "known");
    for (let start = 0; start < uris.length; start += perMinute) {
      flows.clock.advance(MINUTE_MS);
      expect(await outcomes(uris.slice(start, start + perMinute), perMinute, "known")).toEqual({ verified: perMinute });
    }
    flows.clock.advance(MINUTE_MS);
    fetched.length = 0;
    expect(await outcomes(uris, uris.length, "unknown")).toEqual({
      "no keys": CLIENT_KEYS_PER_HOST_MAX,
      temporarily_unavailable: uris.length - CLIENT_KEYS_PER_HOST_MAX,
    });
    expect(fetched).toHaveLength(CLIENT_KEYS_PER_HOST_MAX);
    expect(await outcomes(uris.slice(-perMinute), perMinute, "known")).toEqual({ verified: perMinute });
    expect(fetched).toHaveLength(CLIENT_KEYS_PER_HOST_MAX);
  });

  test("Keys older than ten minutes are fetched again, and verify nothing while the fetch is refused.", async () => {
    const [uri = ""] = await serveKeys("aged", 1);
    expect(await keysAt(uri, deps)).toBe("verified");
    flows.clock.advance(CLIENT_KEYS_MAX_AGE_MS);
    for (let count = 0; count < CLIENT_KEYS_PER_HOST_AND_NETWORK_MAX; count += 1) {
      await deps.state.count(
        `service:client-documents:keys-host-network:${new URL(uri).host}:203.0.113.1`,
        CLIENT_DOCUMENT_WINDOW_MS,
      );
    }
    expect(await keysAt(uri, deps)).toBe("temporarily_unavailable");
    responses.set(new URL(uri).pathname, () => Response.json({ keys: [] }));
    expect(await keysAt(uri, deps, { network: "198.51.100.200" })).toBe("no keys");
  });
});
