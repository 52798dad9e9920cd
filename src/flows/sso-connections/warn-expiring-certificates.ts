import { inertName } from "../../base/display-name.ts";
import type { Deps } from "../../deps.ts";
import {
  SAML_CERTIFICATE_REPEAT_DAYS,
  SAML_CERTIFICATE_SCAN_BATCH,
  SAML_CERTIFICATE_WARNING_DAYS,
} from "../../limits/saml-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import { noticeTime } from "../../models/email/email.ts";
import {
  claimCertificateWarning,
  listPinnedCertificates,
  type PinnedCertificates,
} from "../../models/sso-connection/certificate-rollover.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import type { ComposeDeps } from "../steps/email/compose-email.ts";
import { mailOwners } from "../steps/email/mail-owners.ts";
import { type CertificateDetails, describeCertificate } from "./certificates.ts";
import { connectionPageUrl } from "./urls.ts";

type WarnDeps = ComposeDeps & Pick<Deps, "clock" | "config" | "database">;

const DAY_MS = 24 * 3600 * 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

export interface CertificateScan {
  readonly warnings: number;
  /** Milliseconds since the epoch: the first end of a pinned certificate that is still valid. */
  readonly nextExpiry: number | undefined;
}

/**
 * Warns the owners about certificates of identity providers that end soon or have ended (docs/contract.md, section
 * 29.38): each warning once, over all replicas.
 */
export async function warnExpiringCertificates(deps: WarnDeps, isStopped = () => false): Promise<CertificateScan> {
  const now = deps.clock.now();
  let [warnings, nextExpiry] = [0, Number.POSITIVE_INFINITY];
  for (let afterId = FIRST_ID; !isStopped(); ) {
    const page = await deps.database.run("sso_connection.list_certificates", (sql) =>
      listPinnedCertificates(sql, afterId, SAML_CERTIFICATE_SCAN_BATCH),
    );
    for (const connection of page) {
      for (const details of connection.certificates.map(describeCertificate)) {
        const end = details.notAfter.getTime();
        if (end > now) nextExpiry = Math.min(nextExpiry, end);
        if (await warn(deps, connection, details, now)) warnings += 1;
      }
    }
    const last = page.at(-1);
    if (!last || page.length < SAML_CERTIFICATE_SCAN_BATCH) break;
    afterId = last.id;
  }
  return { warnings, nextExpiry: Number.isFinite(nextExpiry) ? nextExpiry : undefined };
}

/** The last time at which a warning is due; undefined: the certificate is valid for long. */
export function warningStage(notAfter: number, now: number): number | undefined {
  const before = SAML_CERTIFICATE_WARNING_DAYS.map((days) => notAfter - days * DAY_MS);
  const period = SAML_CERTIFICATE_REPEAT_DAYS * DAY_MS;
  const repeats = Math.floor((now - notAfter) / period);
  const passed = [...before, ...(repeats >= 1 ? [notAfter + repeats * period] : [])].filter((time) => time <= now);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

async function warn(
  deps: WarnDeps,
  { id, organizationId, name }: PinnedCertificates,
  { sha256, notAfter }: CertificateDetails,
  now: number,
): Promise<boolean> {
  const stage = warningStage(notAfter.getTime(), now);
  if (stage === undefined) return false;
  const at = new Date(now);
  const days = Math.ceil((notAfter.getTime() - now) / DAY_MS);
  return await deps.database.transaction("sso_connection.warn_certificate", async (sql) => {
    const stages = { stage: new Date(stage), at };
    if (!(await claimCertificateWarning(sql, { connectionId: id, sha256 }, stages))) return false;
    const event = { action: "sso.certificate.expiring", at, organizationId, metadata: { sha256, days } } as const;
    await recordAudit(sql, systemAuditEvent(deps, { ...event, resource: { type: "sso_connection", id } }));
    const values = {
      connection: inertName(name),
      time: noticeTime(notAfter),
      link: connectionPageUrl(deps, id),
    };
    await mailOwners(deps, sql, organizationId, { kind: "sso_certificate_expiring", values }, { at });
    return true;
  });
}
