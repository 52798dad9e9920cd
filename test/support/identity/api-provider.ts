/** A provider of OAuth 2.0 without OpenID Connect, with the responses that a test sets. */
import { createHash } from "node:crypto";
import { stopLater } from "../services.ts";

type Reply = (request: Request) => Response | Promise<Response>;

export class ApiProvider {
  readonly url: string;
  /** The response of the userinfo endpoint. */
  profile: unknown = {};
  /** Replaces a response, by path. */
  readonly answers = new Map<string, Reply>();
  /** Members that the token response has in addition. */
  tokenMembers: Record<string, unknown> = {};
  /** Parameters of the redirect in addition to code and state; undefined removes a parameter. */
  redirectParameters: Record<string, string | undefined> = {};
  /** Received requests, newest last. */
  readonly requests: { readonly path: string; readonly headers: Headers; readonly form: URLSearchParams }[] = [];
  readonly authorizations: URLSearchParams[] = [];
  readonly #challenges = new Map<string, string | null>();

  constructor(tls: { readonly key: string; readonly cert: string }) {
    const { key, cert } = tls;
    const server = Bun.serve({
      ...{ tls: { key, cert }, port: 0, hostname: "127.0.0.1", idleTimeout: 60 },
      fetch: (request) => this.#route(request),
    });
    this.url = server.url.origin;
    stopLater(() => server.stop(true));
  }

  /** Restores the initial behaviour. */
  reset(): void {
    this.profile = {};
    this.tokenMembers = {};
    this.redirectParameters = {};
    this.answers.clear();
  }

  async #route(request: Request): Promise<Response> {
    const { pathname: path, searchParams } = new URL(request.url);
    const form = new URLSearchParams(request.method === "POST" ? await request.clone().text() : "");
    this.requests.push({ path, headers: request.headers, form });
    const replaced = this.answers.get(path);
    if (replaced) return await replaced(request);
    if (path === "/authorize") return this.#authorize(searchParams);
    if (path === "/token") return this.#token(form);
    if (path === "/me") return Response.json(this.profile);
    return new Response("nothing here", { status: 404 });
  }

  #authorize(asked: URLSearchParams): Response {
    this.authorizations.push(asked);
    const code = crypto.randomUUID();
    this.#challenges.set(code, asked.get("code_challenge"));
    const parameters = { code, state: asked.get("state") ?? "", ...this.redirectParameters };
    const present = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined);
    if (asked.get("response_mode") === "form_post") return formPost(asked.get("redirect_uri") ?? "", present);
    const location = `${asked.get("redirect_uri")}?${new URLSearchParams(present)}`;
    return new Response(null, { status: 302, headers: { location } });
  }

  #token(form: URLSearchParams): Response {
    const challenge = this.#challenges.get(form.get("code") ?? "");
    this.#challenges.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier");
    const proven = verifier === null ? null : createHash("sha256").update(verifier).digest("base64url");
    if (challenge === undefined || challenge !== proven)
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({ access_token: "an access token", token_type: "bearer", ...this.tokenMembers });
  }
}

function formPost(action: string, fields: readonly [string, string][]): Response {
  const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join("");
  return new Response(`<form method="post" action="${action}">${inputs}</form>`, {
    headers: { "content-type": "text/html" },
  });
}
