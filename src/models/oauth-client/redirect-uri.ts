import type { InputFlaw } from "../../base/invalid-input.ts";
import { type ExactUriProblem, exactUriProblem } from "../../base/stored-url.ts";
import { OAUTH_URI_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import type { OAuthClient } from "./oauth-client.ts";
import { rulesOf } from "./provenance.ts";

/** Schemes that a browser runs or reads instead of starting an application. */
const UNSAFE_SCHEMES = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "view-source:"]);
/** RFC 8252, section 7.3: literal addresses. `localhost` may be another machine's where names are resolved. */
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]"]);

type ApplicationType = "web" | "native";

/** The broken rule of an address, for forms that display the reason in the language of the user. */
export type UriProblem =
  | ExactUriProblem
  | "unsafe_scheme"
  | "fragment"
  | "not_https"
  | "http_not_loopback"
  | "not_reversed_domain";

const FLAWS: Readonly<Record<UriProblem, InputFlaw>> = {
  too_long: { rule: "too_long", text: `at most ${OAUTH_URI_MAX_CHARACTERS} characters` },
  not_absolute: { rule: "format", text: "not an absolute URI" },
  unsafe_scheme: { rule: "not_allowed", text: "not a scheme for this" },
  fragment: { rule: "format", text: "must have no fragment" },
  user_information: { rule: "format", text: "must have no user information" },
  host: { rule: "format", text: "the host must be a DNS name or an IP address" },
  not_https: { rule: "format", text: "must be https" },
  http_not_loopback: { rule: "not_allowed", text: "http is for loopback addresses only" },
  not_reversed_domain: {
    rule: "format",
    text: "a private-use scheme is a reversed domain name, such as com.example.app",
  },
};

/**
 * The problem of a redirect URI; undefined for a valid URI: absolute, no fragment, no credentials. Web applications use
 * https, or http on this machine during development; native applications also use a private scheme, a reversed domain
 * name (RFC 8252, section 7.1), and loopback addresses. `privateHttp`: http also for hosts of a private network.
 */
export function redirectUriProblem(uri: string, type: ApplicationType, privateHttp = false): UriProblem | undefined {
  const problem = resourceProblem(uri);
  if (problem) return problem;
  const { protocol, hostname } = new URL(uri);
  if (protocol === "https:") return undefined;
  const local = LOOPBACK_HOSTS.has(hostname) || hostname === "localhost";
  if (protocol === "http:") return local || (privateHttp && isPrivateHost(hostname)) ? undefined : "http_not_loopback";
  if (type === "native" && protocol.includes(".")) return undefined;
  return type === "native" ? "not_reversed_domain" : "not_https";
}

/** The problem of a resource indicator (RFC 8707, section 2): absolute, no fragment. */
export function resourceProblem(uri: string): UriProblem | undefined {
  const problem = exactUriProblem(uri, OAUTH_URI_MAX_CHARACTERS);
  if (problem) return problem;
  if (UNSAFE_SCHEMES.has(new URL(uri).protocol)) return "unsafe_scheme";
  return uri.includes("#") ? "fragment" : undefined;
}

export function redirectUriFlaw(uri: string, type: ApplicationType, privateHttp = false): InputFlaw | undefined {
  return flawOf(redirectUriProblem(uri, type, privateHttp));
}

/** Names that no public DNS has (RFC 6762, RFC 8375 and the reserved `internal`), and names without a dot. */
const PRIVATE_NAME = /^[a-z0-9_-]+$|\.(?:local|lan|home|internal|intranet|home\.arpa)$/;
/** RFC 1918, RFC 6598 and RFC 3927; RFC 4193 and link-local addresses of IPv6. */
const PRIVATE_IPV4 =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.)/;
const PRIVATE_IPV6 = /^\[(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/;

/** Whether only a private network resolves or reaches a host: an address of a private range, or a private name. */
function isPrivateHost(host: string): boolean {
  const isIpv4 = /^[\d.]+$/.test(host);
  return isIpv4 ? PRIVATE_IPV4.test(host) : PRIVATE_NAME.test(host) || PRIVATE_IPV6.test(host);
}

/** The flaw of the address of a client's page or endpoint: https, or http on this machine. */
export function clientUriFlaw(uri: string): InputFlaw | undefined {
  return redirectUriFlaw(uri, "web");
}

export function resourceFlaw(uri: string): InputFlaw | undefined {
  return flawOf(resourceProblem(uri));
}

function flawOf(problem: UriProblem | undefined): InputFlaw | undefined {
  return problem && FLAWS[problem];
}

/**
 * Whether the client registered the redirect URI of a request, compared as text (RFC 9700, section 4.1.3). A native
 * application may send a different port of a loopback address (RFC 8252, section 7.3), also of `localhost`, which
 * common tools register. A client that no administrator registered is one of these tools, whatever type it claims.
 */
export function isRegisteredUri(
  uri: string,
  registered: readonly string[],
  client: { readonly applicationType: ApplicationType; readonly kind: OAuthClient["kind"] },
): boolean {
  if (registered.includes(uri)) return true;
  const mayChangePort = client.applicationType === "native" || rulesOf(client).mayChangeLoopbackPort;
  const portless = mayChangePort && !resourceProblem(uri) ? withoutPort(uri) : undefined;
  return portless !== undefined && registered.some((each) => withoutPort(each) === portless);
}

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*|\?.*|)$/;

/** A loopback URI without the port of the authority; undefined for a URI with a different host. */
function withoutPort(uri: string): string | undefined {
  const match = LOOPBACK.exec(uri);
  return match ? `${match[1]}${match[2]}` : undefined;
}

/** Whether every program on the device of the user can receive the response. */
export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}
