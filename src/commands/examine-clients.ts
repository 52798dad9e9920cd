import type { Foundation } from "../foundation.ts";
import { listRelaxedClients, type Relaxation } from "../models/oauth-client/list-clients.ts";
import { type Finding, finding } from "./finding.ts";

/** Named clients; of further clients only the existence is reported. */
const NAMED_MAX = 20;

interface Examined {
  readonly check: string;
  /** The detail without a relaxed client. */
  readonly strict: string;
  /** The detail before the names. */
  readonly relaxed: string;
  readonly remedy: string;
}

/** docs/contract.md, sections 23.2 and 23.3. */
const EXAMINED: Readonly<Record<Relaxation, Examined>> = {
  unbound_codes: {
    check: "authorization codes",
    strict: "bound to the browser by PKCE or a nonce",
    relaxed: "not bound to the browser for",
    remedy: "set require_nonce_or_pkce to true as soon as the product sends PKCE or a nonce",
  },
  refresh_repeat: {
    check: "refresh tokens",
    strict: "repeated for at most 10 seconds",
    relaxed: "repeated for longer than 10 seconds for",
    remedy: "lower refresh_repeat_seconds: a copied refresh token works for as long",
  },
  private_http: {
    check: "redirect URIs",
    strict: "https, or of this machine",
    relaxed: "codes cross a private network by http for",
    remedy: "give the product https, and set SERVICE_OAUTH_PRIVATE_HTTP to off",
  },
};

const RELAXATIONS = Object.keys(EXAMINED) as Relaxation[];

/** The applications that an administrator has relaxed: a finding for each kind. */
export async function examineClients({ database }: Pick<Foundation, "database">): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const relaxation of RELAXATIONS) {
    const { check, strict, relaxed, remedy } = EXAMINED[relaxation];
    const found = await database.run("oauth_client.list_relaxed", (sql) =>
      listRelaxedClients(sql, relaxation, NAMED_MAX + 1),
    );
    const names = found.slice(0, NAMED_MAX).map(({ id, name }) => `${name} (${id})`);
    const more = found.length > NAMED_MAX ? ", and more" : "";
    const detail = `${relaxed} ${names.join(", ")}${more}`;
    findings.push(found.length === 0 ? finding(check, "ok", strict) : finding(check, "warning", detail, remedy));
  }
  return findings;
}
