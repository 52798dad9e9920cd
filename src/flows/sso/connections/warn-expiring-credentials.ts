import { createHash } from "node:crypto";
import type { Sql } from "../../../database/database.ts";
import { pagesById } from "../../../database/pages-by-id.ts";
import { SAML_CERTIFICATE_SCAN_BATCH } from "../../../limits/saml-limits.ts";
import {
  listExpiringSecrets,
  listPinnedCertificates,
  type NamedConnection,
} from "../../../models/sso-connection/certificate-rollover.ts";
import { attempt } from "./attempt-work.ts";
import { describeCertificate } from "./certificates.ts";
import { type ExpiringCredential, type ExpiryScan, scanExpiries, type WarnDeps } from "./warn-of-expiry.ts";

/**
 * Warns the owners about certificates of identity providers and client secrets that end soon or have ended
 * (docs/contract.md, section 29.38): each warning once, over all replicas.
 */
export async function warnExpiringCredentials(deps: WarnDeps, isStopped = () => false): Promise<ExpiryScan> {
  return await scanExpiries(deps, credentialsOf(deps, isStopped));
}

async function* credentialsOf(deps: WarnDeps, isStopped: () => boolean): AsyncGenerator<ExpiringCredential> {
  const pinned = pagesOf(deps, "sso_connection.list_certificates", listPinnedCertificates, isStopped);
  for await (const connection of pinned) {
    const described = await attempt(deps, connection, () => connection.certificates.map(describeCertificate));
    for (const { sha256, notAfter } of described ?? []) {
      const notice = { kind: "sso_certificate_expiring", action: "sso.certificate.expiring" } as const;
      yield { connection, endsAt: notAfter.getTime(), sha256, ...notice, metadata: { sha256 } };
    }
  }
  const secrets = pagesOf(deps, "sso_connection.list_secrets", listExpiringSecrets, isStopped);
  for await (const connection of secrets) {
    const { expiresOn } = connection;
    const notice = { kind: "sso_secret_expiring", action: "sso.secret.expiring" } as const;
    // A secret is no input of the hash: each expiry has warnings of its own.
    const sha256 = createHash("sha256").update(`client secret until ${expiresOn}`).digest("hex");
    yield { connection, endsAt: new Date(expiresOn).getTime(), sha256, ...notice, metadata: {} };
  }
}

/** The rows of a list by id, until the stop. */
async function* pagesOf<Row extends NamedConnection>(
  { database }: WarnDeps,
  operation: string,
  list: (sql: Sql, afterId: string, limit: number) => Promise<Row[]>,
  isStopped: () => boolean,
): AsyncGenerator<Row> {
  const read = async (after: string) =>
    isStopped() ? [] : await database.run(operation, (sql) => list(sql, after, SAML_CERTIFICATE_SCAN_BATCH));
  for await (const page of pagesById(SAML_CERTIFICATE_SCAN_BATCH, read, ({ id }) => id)) yield* page;
}
