/**
 * Sends equal requests, valid and malformed, to this provider and to oidc-provider. The responses must agree, or the
 * difference is listed with the clause of the specification.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import { CALLBACK } from "./oauth.ts";
import { ISSUER } from "./replica.ts";
import { stopLater } from "./services.ts";

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const PATHS = {
  authorize: ["oauth2/authorize", "auth"],
  token: ["oauth2/token", "token"],
  introspect: ["oauth2/introspect", "token/introspection"],
  revoke: ["oauth2/revoke", "token/revocation"],
  userinfo: ["oauth2/userinfo", "me"],
  par: ["oauth2/par", "request"],
  device: ["oauth2/device_authorization", "device/auth"],
  register: ["oauth2/register", "reg"],
} as const;

export type EndpointName = keyof typeof PATHS;

/** One of the two providers. */
export interface Side {
  /** Where requests are sent to. */
  readonly base: string;
  /** What tokens and proofs name. */
  readonly issuer: string;
  readonly pathOf: (endpoint: EndpointName) => string;
  /** Headers of the next request. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** What a request contains. */
export interface Content {
  readonly parameters?: Parameters;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body in place of parameters. */
  readonly json?: unknown;
}

export interface Exchange {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly endpoint: EndpointName;
  /** Signed values name the side. */
  readonly content: (side: Side) => Content | Promise<Content>;
}

export const ourSide = (base: string): Side => ({ base, issuer: ISSUER, pathOf: (endpoint) => PATHS[endpoint][0] });

/** Sends each request from a network of its own; the side trusts the proxy of the test. */
export function inOwnNetworks(side: Side): Side {
  let requests = 0;
  const headers = () => {
    requests += 1;
    return { "x-forwarded-for": `198.18.${requests >> 8}.${requests & 255}` };
  };
  return { ...side, headers };
}

/** The features of the second half: PAR, DPoP, JAR and registration. */
export const MODERN_FEATURES = {
  pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
  dPoP: { enabled: true, nonceSecret: randomBytes(32) },
  requestObjects: { enabled: true },
  registration: { enabled: true },
} satisfies Configuration["features"];

/** Starts oidc-provider with these clients. */
export async function startPeer(
  clients: ClientMetadata[],
  features: Partial<typeof MODERN_FEATURES> = {},
): Promise<Side> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  stopLater(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients,
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", "profile", "email"],
    features: {
      introspection: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true },
      ...features,
    },
    interactions: { url: () => "/interaction" },
  });
  server.on("request", provider.callback());
  return { base: issuer, issuer, pathOf: (endpoint) => PATHS[endpoint][1] };
}

/** Changes a parameter in each way in which requests are wrong, and in a few ways in which requests are right. */
export function mutations(
  base: Parameters,
  values: Readonly<Record<string, readonly (string | readonly string[])[]>>,
): [string, Parameters][] {
  const names = new Set([...Object.keys(base), ...Object.keys(values)]);
  return [...names].flatMap((name) => {
    const given = base[name];
    const usual: [string, Parameters][] =
      given === undefined
        ? []
        : [
            [`${name} missing`, { ...base, [name]: undefined }],
            [`${name} empty`, { ...base, [name]: "" }],
            [`${name} twice`, { ...base, [name]: [String(given), String(given)] }],
            [`${name} with a space`, { ...base, [name]: `${given} ` }],
            [`${name} in another case`, { ...base, [name]: String(given).toUpperCase() }],
          ];
    const special = (values[name] ?? []).map((value, index): [string, Parameters] => [
      `${name} #${index}`,
      { ...base, [name]: value },
    ]);
    return [...usual, ...special];
  });
}

export const basicHeader = ({ id, secret }: { id: string; secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

function encoded(parameters: Parameters): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of typeof value === "string" ? [value] : (value ?? [])) search.append(name, each);
  }
  return search;
}

async function send(side: Side, { method, endpoint, content }: Exchange): Promise<Response> {
  const { parameters = {}, headers: given = {}, json } = await content(side);
  const headers = { ...given, ...side.headers?.() };
  const url = `${side.base}/${side.pathOf(endpoint)}`;
  const search = encoded(parameters);
  if (method === "GET") return await fetch(`${url}?${search}`, { headers, redirect: "manual" });
  const [type, body] =
    json === undefined
      ? ["application/x-www-form-urlencoded", search.toString()]
      : ["application/json", JSON.stringify(json)];
  return await fetch(url, { method, headers: { "content-type": type, ...headers }, body, redirect: "manual" });
}

/**
 * Returns the relevant part of a response: status, error, and whether the response goes to the application or to a
 * user.
 */
async function outcomeAt(side: Side, exchange: Exchange): Promise<string> {
  const response = await send(side, exchange);
  const text = await response.text();
  const location = response.headers.get("location");
  if (location?.startsWith(CALLBACK)) {
    // Errors of the implicit and hybrid flows are in the fragment at oidc-provider (OAuth 2.0 Multiple Response Types,
    // 5).
    const answer = new URLSearchParams(location.split(/[?#]/)[1]);
    return `application: ${answer.get("error") ?? "code"}`;
  }
  if (location && exchange.endpoint === "authorize") return "interaction";
  if (text.includes(`action="${CALLBACK}"`))
    return `application: ${/name="error" value="(\w+)"/.exec(text)?.[1] ?? "code"}`;
  if (exchange.endpoint === "authorize") return `page ${response.status}`;
  return `${response.status} ${/"error":"(\w+)"/.exec(text)?.[1] ?? "ok"}`;
}

/** A permitted difference, `<name>: <this provider>, not <oidc-provider>`, with the reason. */
export type Differences = readonly (readonly [RegExp, string])[];

/** Returns the differences that are not listed, and the patterns of the list without a difference. */
export async function compare(
  [ours, theirs]: readonly [Side, Side],
  requests: readonly Exchange[],
  permitted: Differences,
): Promise<{ readonly unlisted: string[]; readonly unused: RegExp[] }> {
  const unused = new Set(permitted.map(([pattern]) => pattern));
  const compared = await Promise.all(
    requests.map(async (request) => {
      const [one, other] = [await outcomeAt(ours, request), await outcomeAt(theirs, request)];
      return one === other ? [] : [`${request.name}: ${one}, not ${other}`];
    }),
  );
  const unlisted = compared.flat().filter((difference) => {
    const known = permitted.filter(([pattern]) => pattern.test(difference));
    for (const [pattern] of known) unused.delete(pattern);
    return known.length === 0;
  });
  return { unlisted, unused: [...unused] };
}
