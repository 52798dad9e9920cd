/** Each preset reads the recorded conversation of the provider (docs/contract.md, section 15.6). */
import { describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { systemClock } from "../../src/base/clock.ts";
import type { Result } from "../../src/base/result.ts";
import { normalizeSocialConfig, socialConfigFlaws } from "../../src/models/social-provider/config-rules.ts";
import { completeSocialConfig, SOCIAL_PRESETS } from "../../src/models/social-provider/presets.ts";
import type { GuardedInit } from "../../src/providers/guarded-fetch.ts";
import { targetUrlFlaw } from "../../src/providers/guarded-post.ts";
import { configuredProvider } from "../../src/providers/identity/configured-provider.ts";
import type { IdentityFailure } from "../../src/providers/identity/identity-provider.ts";
import type { SocialProviderConfig } from "../../src/vocabulary/social-provider-config.ts";
import { CONVERSATIONS, type Conversation } from "../support/identity/social-conversations.ts";

const SECRET = "a secret of at least thirty-two bytes";
const REACH = { allows: () => false, loopback: false };
const EXCHANGE = { state: "s".repeat(43), codeVerifier: "v".repeat(43), nonce: "n".repeat(43) };
const keys = await generateKeyPair("RS256");

function accepted<T>(result: Result<T, IdentityFailure>): T {
  if (!result.ok) throw new Error(result.error.cause);
  return result.value;
}

function configOf(preset: string, { issuer }: Conversation): SocialProviderConfig {
  const given = { preset, client_id: "acme-web", enabled: true, ...(issuer ? { issuer } : {}) };
  return normalizeSocialConfig(completeSocialConfig(given, preset));
}

/** Replays the conversation: discovery, keys, tokens and resources at the addresses of the provider. */
function replay(config: SocialProviderConfig, conversation: Conversation, preset: string) {
  const requests: { readonly url: string; readonly init: GuardedInit }[] = [];
  const base = (config.issuer ?? "https://none.test").replace(/\/$/, "");
  const discovery = {
    ...{ issuer: config.issuer, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
    jwks_uri: `${base}/keys`,
  };
  const respond = async (url: string, init: GuardedInit): Promise<Response> => {
    requests.push({ url, init });
    if (url === `${base}/.well-known/openid-configuration`) return Response.json(discovery);
    if (url === (config.token_endpoint ?? discovery.token_endpoint)) return await tokens();
    if (url === (config.jwks_uri ?? discovery.jwks_uri)) {
      return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k", alg: "RS256", use: "sig" }] });
    }
    const resource = conversation.resources?.[init.method === "POST" ? `POST ${url}` : url];
    return resource === undefined ? new Response("unknown", { status: 404 }) : Response.json(resource);
  };
  const tokens = async (): Promise<Response> => {
    const id = conversation.idToken === undefined ? {} : { id_token: await idToken(conversation.idToken) };
    return Response.json({ access_token: "an access token", token_type: "bearer", ...conversation.tokens, ...id });
  };
  const idToken = async (claims: Record<string, unknown>): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const nonce = config.nonce ? { nonce: EXCHANGE.nonce } : {};
    const all = { iss: config.issuer, aud: "acme-web", iat: now, exp: now + 300, ...nonce, ...claims };
    const token = new SignJWT(all as never);
    return preset === "line"
      ? await token.setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET))
      : await token.setProtectedHeader({ alg: "RS256", kid: "k" }).sign(keys.privateKey);
  };
  return { respond, requests };
}

function connect(preset: string, conversation: Conversation, secret = SECRET) {
  const config = configOf(preset, conversation);
  const { respond, requests } = replay(config, conversation, preset);
  const provider = configuredProvider({
    ...{ provider: preset, config, secret, identityEpoch: 0, clock: systemClock },
    redirectUri: `https://id.example.com/v1/auth/oauth/${preset}/callback`,
    fetch: respond,
  });
  const identify = () => provider.identify(new URLSearchParams({ code: "a code", state: EXCHANGE.state }), EXCHANGE);
  return { config, provider, requests, identify };
}

test("Every preset has a conversation, and there are 20 public and 3 self-hosted presets.", () => {
  expect(SOCIAL_PRESETS.map(({ preset }) => preset).toSorted()).toEqual(Object.keys(CONVERSATIONS).toSorted());
  const own = SOCIAL_PRESETS.filter(({ defaults }) => defaults.protocol === "oidc" && !defaults.issuer);
  expect([SOCIAL_PRESETS.length, own.length]).toEqual([23, 3]);
});

for (const { preset } of SOCIAL_PRESETS) {
  const conversation = CONVERSATIONS[preset];
  if (!conversation) continue;
  describe(preset, () => {
    test("The settings of the preset are valid and need a client id and a secret alone.", () => {
      const urlFlaw = (url: string) => targetUrlFlaw(REACH, url);
      expect(socialConfigFlaws(configOf(preset, conversation), { hasSecret: true, urlFlaw })).toEqual([]);
    });

    test("The authorization request has the parameters of the provider.", async () => {
      const { provider, config } = connect(preset, conversation);
      const url = accepted(await provider.authorizationUrl(EXCHANGE));
      const expected = { client_id: "acme-web", state: EXCHANGE.state, ...conversation.request };
      for (const [name, value] of Object.entries(expected)) {
        expect([name, url.searchParams.get(name)]).toEqual([name, value ?? null]);
      }
      expect(url.searchParams.get("scope")).toBe(config.scopes.length > 0 ? config.scopes.join(" ") : null);
    });

    test("The recorded responses give the subject, the address, the verification and the name.", async () => {
      const { requests, identify } = connect(preset, conversation);
      const { subject, email, emailVerified, name } = accepted(await identify());
      expect({ subject, email, verified: emailVerified, name }).toEqual({
        email: undefined,
        name: undefined,
        ...conversation.identity,
      });
      const resources = requests.filter(({ url }) => conversation.resources && url in conversation.resources);
      for (const { init } of resources) {
        expect(init.headers).toMatchObject({ authorization: "Bearer an access token", ...conversation.headers });
      }
    });

    const { unverified } = conversation;
    if (unverified) {
      test("An address that the provider has not verified is unverified.", async () => {
        expect(accepted(await connect(preset, { ...conversation, ...unverified }).identify()).emailVerified).toBe(
          false,
        );
      });
    }
  });
}

describe("LINE", () => {
  const line = CONVERSATIONS.line as Conversation;

  test("An ID token that another secret signed is refused.", async () => {
    expect((await connect("line", line, "another secret of thirty-two bytes!").identify()).ok).toBe(false);
  });

  test("No other preset accepts HS256.", async () => {
    const { issuer } = configOf("line", line);
    const config = { ...configOf("gitlab", line), issuer };
    const { respond } = replay(config, line, "line");
    const provider = configuredProvider({
      ...{
        provider: "gitlab",
        config,
        secret: SECRET,
        identityEpoch: 0,
        clock: systemClock,
        redirectUri: "https://a.test/",
      },
      fetch: respond,
    });
    const callback = new URLSearchParams({ code: "a code", state: EXCHANGE.state });
    expect((await provider.identify(callback, EXCHANGE)).ok).toBe(false);
  });
});
