/**
 * Test doubles of the providers with OAuth 2.0 and a proprietary API: GitHub and Facebook, according to the providers'
 * documentation.
 */
import { createHash, createHmac } from "node:crypto";
import { stopLater } from "../services.ts";

interface Grant {
  readonly challenge: string | null;
  readonly redirectUri: string;
  readonly scope: string;
}

type Route = (request: Request) => Response | Promise<Response>;

/** The common base: a page that consents at once, and single-use codes. */
class ApiProvider {
  readonly url: string;
  readonly #routes: Readonly<Record<string, Route>>;
  readonly #grants = new Map<string, Grant>();
  readonly #tokens = new Map<string, string>();

  constructor(authorizePath: string, tokenPath: string, routes: Record<string, Route>) {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#route(request) });
    this.url = server.url.origin;
    stopLater(() => server.stop(true));
    this.#routes = {
      [authorizePath]: (request) => this.#authorize(new URL(request.url).searchParams),
      [tokenPath]: async (request) => this.#token(new URLSearchParams(await request.text())),
      ...routes,
    };
  }

  /** Returns the scopes of the token that a request presents. */
  scopeOf(request: Request): string | undefined {
    return this.#tokens.get(request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
  }

  async #route(request: Request): Promise<Response> {
    const route = this.#routes[new URL(request.url).pathname];
    return route ? await route(request) : new Response("nothing here", { status: 404 });
  }

  #authorize(asked: URLSearchParams): Response {
    const code = crypto.randomUUID();
    const redirectUri = asked.get("redirect_uri") ?? "";
    this.#grants.set(code, { challenge: asked.get("code_challenge"), redirectUri, scope: asked.get("scope") ?? "" });
    const response = new URLSearchParams({ code, state: asked.get("state") ?? "" });
    return new Response(null, { status: 302, headers: { location: `${redirectUri}?${response}` } });
  }

  #token(given: URLSearchParams): Response {
    const grant = this.#grants.get(given.get("code") ?? "");
    this.#grants.delete(given.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url");
    const known = given.get("client_secret") === CLIENT_SECRET && grant?.redirectUri === given.get("redirect_uri");
    // GitHub reports this error with status 200.
    if (!grant || grant.challenge !== challenge || !known) return Response.json({ error: "bad_verification_code" });
    const token = crypto.randomUUID();
    this.#tokens.set(token, grant.scope);
    return Response.json({ access_token: token, token_type: "bearer", scope: grant.scope });
  }
}

export const CLIENT_SECRET = "a secret of the application";

export class Github {
  user: object = { id: 1, name: "Octo Cat" };
  emails: object[] = [];
  readonly #server: ApiProvider;

  constructor() {
    this.#server = new ApiProvider("/login/oauth/authorize", "/login/oauth/access_token", {
      "/user": (request) => this.#answer(request, "read:user", this.user),
      "/user/emails": (request) => this.#answer(request, "user:email", this.emails),
    });
  }

  get url(): string {
    return this.#server.url;
  }

  /** The API of GitHub refuses callers without a User-Agent. */
  #answer(request: Request, scope: string, body: object): Response {
    const allowed = this.#server.scopeOf(request)?.split(" ").includes(scope) && request.headers.get("user-agent");
    return allowed ? Response.json(body) : Response.json({ message: "Bad credentials" }, { status: 401 });
  }
}

export class Facebook {
  user: object = { id: "1", name: "Face Book" };
  readonly #server: ApiProvider;

  constructor() {
    this.#server = new ApiProvider("/dialog/oauth", "/oauth/access_token", { "/me": (request) => this.#me(request) });
  }

  get url(): string {
    return this.#server.url;
  }

  #me(request: Request): Response {
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    const { searchParams } = new URL(request.url);
    const proof = createHmac("sha256", CLIENT_SECRET).update(token).digest("hex");
    const allowed = this.#server.scopeOf(request) !== undefined && searchParams.get("appsecret_proof") === proof;
    return allowed ? Response.json(this.user) : Response.json({ error: { code: 190 } }, { status: 400 });
  }
}
