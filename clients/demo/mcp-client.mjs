/**
 * The client of `npm run demo:mcp` and of the client scenarios of `@modelcontextprotocol/conformance`: connects to the
 * MCP server of the last argument, signs in where the server asks, calls every tool, and watches the end of the token.
 *
 * `CLIENT_METADATA_URL`: the client id metadata document. `OPEN=fetch`: follows the authorization request without a
 * browser, for servers without pages. `WATCH=1`: calls the first tool until the server refuses the token.
 */
import { createServer } from "node:http";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const serverUrl = new URL(process.argv.at(-1));
const { CLIENT_METADATA_URL, MCP_CONFORMANCE_CONTEXT, OPEN, REDIRECT_URL, WATCH } = process.env;
const registered = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? "{}");
const redirectUrl = REDIRECT_URL ?? "http://localhost:3000/callback";
/** A server that asks for more scopes without end must not open the browser without end. */
const AUTHORIZATIONS_MAX = 3;
/** Arguments of tools; every other tool is called without arguments. */
const ARGUMENTS = { remove_member: { name: "Grace" } };
const WATCH_MS = 250;

/** The state of one sign-in, in memory. */
class MemoryProvider {
  redirectUrl = redirectUrl;
  clientMetadata = { client_name: "Demo of MCP", redirect_uris: [redirectUrl] };
  // The SDK accepts https alone: the document of the demo is on a loopback address, so the demo names the client.
  clientMetadataUrl = CLIENT_METADATA_URL?.startsWith("https:") ? CLIENT_METADATA_URL : undefined;
  #saved = {
    client: registered.client_id
      ? { client_id: registered.client_id, client_secret: registered.client_secret }
      : CLIENT_METADATA_URL?.startsWith("http:")
        ? { client_id: CLIENT_METADATA_URL }
        : undefined,
  };
  clientInformation = () => this.#saved.client;
  saveClientInformation = (client) => Object.assign(this.#saved, { client });
  tokens = () => this.#saved.tokens;
  saveTokens = (tokens) => Object.assign(this.#saved, { tokens });
  codeVerifier = () => this.#saved.verifier;
  saveCodeVerifier = (verifier) => Object.assign(this.#saved, { verifier });
  saveDiscoveryState = (discovery) => Object.assign(this.#saved, { discovery });
  discoveryState = () => this.#saved.discovery;
  redirectToAuthorization = (url) => {
    if (requiredAcr) url.searchParams.set("claims", essential(requiredAcr));
    this.response = OPEN === "fetch" ? followed(url) : openedInBrowser(url);
  };
}

/** `acr_values` of the last challenge: the server needs a stronger sign-in (RFC 9470, section 3). */
let requiredAcr;

/** Reads the challenge, because the SDK reads the scopes alone. */
async function fetchWithChallenge(url, init) {
  const response = await fetch(url, init);
  const challenge = response.headers.get("www-authenticate") ?? "";
  requiredAcr = /acr_values="([^"]+)"/.exec(challenge)?.[1] ?? requiredAcr;
  if (response.status === 401 && challenge.includes("error=")) console.log(`The server asks for more: ${challenge}`);
  return response;
}

/** An essential claim: a user without a second factor sets a factor up (OpenID Connect Core, section 5.5.1.1). */
function essential(acr) {
  return JSON.stringify({ id_token: { acr: { essential: true, values: acr.split(" ") } } });
}

/** The parameters of the authorization response of a server that redirects at once. */
async function followed(url) {
  const { headers } = await fetch(url, { redirect: "manual" });
  return new URL(headers.get("location")).searchParams;
}

/** Prints the address for the browser, and waits for the redirect. */
async function openedInBrowser(url) {
  const listener = createServer();
  const redirected = new Promise((resolve) => {
    listener.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url, redirectUrl);
      if (pathname !== new URL(redirectUrl).pathname) return response.writeHead(404).end();
      response.end("Signed in. Return to the terminal.");
      return resolve(searchParams);
    });
  });
  listener.listen(Number(new URL(redirectUrl).port), new URL(redirectUrl).hostname);
  console.log(`Open in a browser: ${url}`);
  const parameters = await redirected;
  listener.close();
  listener.closeAllConnections();
  return parameters;
}

const provider = new MemoryProvider();
const client = new Client({ name: "demo-of-mcp", version: "1.0.0" });
let transport;

/** Repeats an operation after each sign-in that the server asks for. */
async function authorized(operation) {
  for (let signIns = 0; ; signIns += 1) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || signIns === AUTHORIZATIONS_MAX) throw error;
      const parameters = await provider.response;
      const code = parameters.get("code");
      if (!code) throw new Error(`the authorization was refused: ${parameters.get("error")}`);
      const issuer = provider.discoveryState()?.authorizationServerMetadata?.issuer;
      const iss = parameters.get("iss");
      // A response of another authorization server is a mix-up attack (RFC 9207).
      if (iss !== null && issuer !== undefined && iss !== issuer) throw new Error(`a response of ${iss}`);
      await transport.finishAuth(code);
    }
  }
}

await authorized(async () => {
  transport = new StreamableHTTPClientTransport(serverUrl, { authProvider: provider, fetch: fetchWithChallenge });
  await client.connect(transport);
});
const { tools } = await authorized(() => client.listTools());
for (const { name } of tools) {
  const { content } = await authorized(() => client.callTool({ name, arguments: ARGUMENTS[name] ?? {} }));
  console.log(`${name}: ${content.map(({ text }) => text).join(" ")}`);
}
if (WATCH) await watch(tools[0].name);
await client.close();

/** Calls a tool until the server refuses the token, without a new sign-in. */
async function watch(name) {
  console.log("Sign out, or end the session at Security: the token ends within two seconds.");
  const headers = {
    authorization: `Bearer ${provider.tokens().access_token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
  for (;;) {
    const { status } = await fetch(serverUrl, { method: "POST", headers, body });
    if (status === 401) break;
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  }
  console.log(`The server refuses the token: 401 at ${new Date().toISOString()}`);
}
