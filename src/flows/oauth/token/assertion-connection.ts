/** The connection of an identity assertion (ID-JAG; docs/contract.md, section 23.18). */
import { decodeJwt, type JWTPayload } from "jose";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { TOKEN_MAX_CHARACTERS } from "../../../limits/limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { listHeldDomainsNamed } from "../../../models/organization-domain/domain-index.ts";
import { domainOfAddress } from "../../../models/organization-domain/domain-name.ts";
import { listConnectionsOfSubject } from "../../../models/sso-identity/sso-identity.ts";
import { normalizeAssertedEmail } from "../../../models/user/email-address.ts";
import { findRoutable, type OidcConnection } from "../../sso/sign-in/connection.ts";
import type { TokenDeps, TokenErrorCode } from "./token-request.ts";

type Refused = OAuthRefusal<TokenErrorCode>;

export const BAD_ASSERTION = oauthRefusal(
  "invalid_grant",
  "The assertion is invalid, expired, used, or of an unknown user.",
);
const NOT_PERMITTED = oauthRefusal(
  "unauthorized_client",
  "The organization of the assertion does not permit the client.",
);

/**
 * The connection of the issuer that permits the client. Several tenants may share an issuer: a link by a domain
 * decides, then the domain of the address, then a link that the user made in person, so that a link at a second tenant
 * diverts no employee; without a decision the assertion is refused. The claims are not verified yet, and decide about
 * the connection alone.
 */
export async function findConnection(
  deps: TokenDeps,
  client: OAuthClient,
  assertion: string,
): Promise<Result<OidcConnection, Refused>> {
  const claims = claimsOf(assertion);
  const ofIssuer = deps.ssoDirectory.ofIssuer(claims.iss ?? "").flatMap(({ id }) => {
    const found = findRoutable(deps, id);
    return found?.protocol === "oidc" ? [found] : [];
  });
  const permitting = ofIssuer.filter(({ config }) => config.id_jag !== "off" && config.id_jag.includes(client.id));
  if (permitting.length === 0) return err(ofIssuer.length > 0 ? NOT_PERMITTED : BAD_ASSERTION);
  const [connection, ...further] = permitting.length === 1 ? permitting : await narrow(deps, permitting, claims);
  return connection && further.length === 0 ? ok(connection) : err({ ...BAD_ASSERTION, cause: "several tenants" });
}

async function narrow(
  { database }: TokenDeps,
  permitting: readonly OidcConnection[],
  claims: JWTPayload,
): Promise<readonly OidcConnection[]> {
  const ids = permitting.map(({ id }) => id);
  const links = await database.run("sso_identity.list_connections", (sql) =>
    listConnectionsOfSubject(sql, ids, String(claims.sub)),
  );
  const linked = permitting.filter(({ id }) => links.some(({ connectionId }) => connectionId === id));
  const byDomain = linked.filter(({ id }) =>
    links.some(({ connectionId, linkedBy }) => connectionId === id && linkedBy !== "user"),
  );
  if (byDomain.length === 1) return byDomain;
  const proven = await findProven({ database }, byDomain.length > 1 ? byDomain : permitting, claims);
  return proven.length > 0 ? proven : linked;
}

/** The connections whose organizations hold the domain of the asserted address. */
async function findProven(
  { database }: Pick<TokenDeps, "database">,
  permitting: readonly OidcConnection[],
  claims: JWTPayload,
): Promise<readonly OidcConnection[]> {
  const named = permitting.map((connection) => domainOf(connection, claims));
  const domains = [...new Set(named.flatMap(({ domain }) => domain ?? []))];
  const held = await database.run("organization_domain.list_named", (sql) => listHeldDomainsNamed(sql, domains));
  const isProven = ({ connection: { id, organizationId }, domain }: NamedDomain) =>
    held.some(
      (each) =>
        each.domain === domain &&
        each.organizationId === organizationId &&
        (each.connectionId === null || each.connectionId === id),
    );
  return named.filter(isProven).map(({ connection }) => connection);
}

/** A connection with the domain of the address that the claims assert by the mapping of the connection. */
interface NamedDomain {
  readonly connection: OidcConnection;
  readonly domain: string | undefined;
}

function domainOf(connection: OidcConnection, claims: JWTPayload): NamedDomain {
  const asserted = claims[connection.config.email_from];
  const email = typeof asserted === "string" ? normalizeAssertedEmail(asserted) : undefined;
  return { connection, domain: email === undefined ? undefined : domainOfAddress(email) };
}

function claimsOf(assertion: string): JWTPayload {
  if (assertion.length > TOKEN_MAX_CHARACTERS) return {};
  try {
    return decodeJwt(assertion);
  } catch {
    return {};
  }
}
