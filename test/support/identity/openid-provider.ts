/** A real OpenID provider (oidc-provider) on loopback with login pages that accept every login. */
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata } from "oidc-provider";
import { stopLater } from "../services.ts";

/** The provider's claims about a user, by login. */
export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** Decides whether a client secret is right; `undefined`: the provider compares the secret with the constant secret. */
export type SecretJudge = (clientId: string, secret: string, issuer: string) => Promise<boolean> | undefined;

/** The part of a client of the library that sends logout tokens. */
interface LogoutClient {
  backchannelLogout(sub: string, sid: string | undefined): Promise<void>;
}

interface Comparing {
  readonly clientId: string;
  compareClientSecret(secret: string): Promise<boolean>;
}

export class OpenidProvider {
  readonly issuer: string;
  readonly people = new Map<string, Person>();
  /** The logout tokens that the provider sent, newest last; no request leaves the provider. */
  readonly #logoutTokens: string[] = [];
  #findClient: (id: string) => Promise<unknown> = async () => undefined;

  private constructor(issuer: string) {
    this.issuer = issuer;
  }

  /** `validateSecret` compares the secrets of clients without a constant secret. `tls`: the provider uses https. */
  static async start(
    clients: readonly ClientMetadata[],
    validateSecret: SecretJudge = () => undefined,
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<OpenidProvider> {
    const server = tls ? createTlsServer(tls) : createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
    stopLater(() => void server.close());
    const started = new OpenidProvider(
      `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    const provider = new Provider(started.issuer, {
      clients: clients.map((client) => ({ ...client, response_types: ["code"], grant_types: ["authorization_code"] })),
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
      pkce: { required: () => true },
      features: { backchannelLogout: { enabled: true } },
      fetch: async (_url, options) => {
        started.#logoutTokens.push(new URLSearchParams(String(options?.body)).get("logout_token") ?? "");
        return new Response(null, { status: 200 });
      },
      findAccount: (_context, login) => ({
        accountId: login,
        claims: async () => ({ sub: login, ...started.people.get(login) }),
      }),
    });
    started.#findClient = (id) => provider.Client.find(id);
    const { prototype } = provider.Client as unknown as { prototype: Comparing };
    const compare = prototype.compareClientSecret;
    prototype.compareClientSecret = async function (secret) {
      return (await validateSecret(this.clientId, secret, started.issuer)) ?? compare.call(this, secret);
    };
    server.on("request", provider.callback());
    return started;
  }

  /** Makes a logout token of a login, and of one session of the login if `sid` is given. */
  async logoutToken(clientId: string, login: string, sid?: string): Promise<string> {
    const client = (await this.#findClient(clientId)) as LogoutClient;
    await client.backchannelLogout(login, sid);
    return this.#logoutTokens.at(-1) ?? "";
  }
}
