/** A small OpenID provider with behaviour set by the test: foreign tenants, forged tokens, endless responses. */
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { stopLater } from "../services.ts";

type Claims = Record<string, unknown>;
type Answer = (request: Request) => Response | Promise<Response>;

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly clientId: string | null;
  readonly redirectUri: string;
}

export class ForgedProvider {
  readonly url: string;
  /** Claims that the ID token has in addition to the usual claims; `undefined` removes a claim. */
  claims: Claims = {};
  /** Metadata that overrides the default metadata. */
  metadata: Claims = {};
  /** The path below which the provider publishes the metadata. */
  authority = "";
  /** Responses that replace the real responses, by path. */
  readonly answers = new Map<string, Answer>();
  /** True: the provider signs with a key that the JWKS does not contain. */
  foreignKey = false;
  /** True: the provider signs with `alg: none`. */
  unsigned = false;
  /** Additional parameters of the redirect. */
  redirectParameters: Record<string, string> = {};
  /** Received token requests, newest last. */
  readonly tokenRequests: URLSearchParams[] = [];
  readonly #grants = new Map<string, Grant>();
  readonly #key = generateKeyPair("RS256");
  readonly #foreign = generateKeyPair("RS256");

  /** `tls`: the provider uses https. */
  constructor(tls?: { readonly key: string; readonly cert: string }) {
    const server = Bun.serve({
      ...(tls ? { tls } : {}),
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => this.#route(request),
    });
    this.url = server.url.origin;
    stopLater(() => server.stop(true));
  }

  /** Restores the initial behaviour. */
  reset(): void {
    Object.assign(this, { claims: {}, metadata: {}, authority: "", foreignKey: false, unsigned: false });
    this.redirectParameters = {};
    this.answers.clear();
  }

  /** Signs claims with a published key, or with a foreign key as `foreignKey` says. */
  async sign(claims: Claims, header: Record<string, unknown> = {}): Promise<string> {
    const { privateKey } = await (this.foreignKey ? this.#foreign : this.#key);
    return await new SignJWT(claims as never)
      .setProtectedHeader({ alg: "RS256", kid: "k", ...header })
      .sign(privateKey);
  }

  async #route(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const forged = this.answers.get(pathname);
    if (forged) return await forged(request);
    if (pathname === `${this.authority}/.well-known/openid-configuration`) return Response.json(this.#metadata());
    if (pathname === "/jwks")
      return Response.json({ keys: [{ ...(await exportJWK((await this.#key).publicKey)), kid: "k" }] });
    if (pathname === "/authorize") return this.#authorize(searchParams);
    if (pathname === "/token") return await this.#token(new URLSearchParams(await request.text()));
    return new Response("nothing here", { status: 404 });
  }

  #metadata(): Claims {
    return {
      issuer: `${this.url}${this.authority}`,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      id_token_signing_alg_values_supported: ["RS256"],
      ...this.metadata,
    };
  }

  #authorize(asked: URLSearchParams): Response {
    const code = crypto.randomUUID();
    const redirectUri = asked.get("redirect_uri") ?? "";
    const [nonce, challenge, clientId] = [asked.get("nonce"), asked.get("code_challenge"), asked.get("client_id")];
    this.#grants.set(code, { nonce, challenge, clientId, redirectUri });
    const response = new URLSearchParams({ code, state: asked.get("state") ?? "", ...this.redirectParameters });
    return new Response(null, { status: 302, headers: { location: `${redirectUri}?${response}` } });
  }

  /** A code is valid once, for the verifier of the challenge (RFC 7636, section 4.6) and for the redirect URI. */
  async #token(given: URLSearchParams): Promise<Response> {
    this.tokenRequests.push(given);
    const grant = this.#grants.get(given.get("code") ?? "");
    this.#grants.delete(given.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== given.get("redirect_uri")) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    const idToken = await this.#idToken(grant);
    return Response.json({ access_token: "an access token", token_type: "Bearer", expires_in: 60, id_token: idToken });
  }

  async #idToken({ nonce, clientId }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: `${this.url}${this.authority}`,
      aud: clientId,
      sub: "a subject",
      nonce,
      iat: now,
      exp: now + 60,
      ...this.claims,
    };
    if (this.unsigned) return `${part({ alg: "none", kid: "k" })}.${part(claims)}.`;
    return await this.sign(claims);
  }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
