/** Warnings about the end of a credential of a connection (docs/contract.md, section 29.38). */
import { inertName } from "../../../base/display-name.ts";
import { DAY_MS } from "../../../base/time-units.ts";
import type { Deps } from "../../../deps.ts";
import { SAML_CERTIFICATE_REPEAT_DAYS, SAML_CERTIFICATE_WARNING_DAYS } from "../../../limits/saml-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { noticeTime } from "../../../models/email/email.ts";
import type { ExpiryKind } from "../../../models/email/owner-email.ts";
import { claimExpiryWarning, type NamedConnection } from "../../../models/sso-connection/certificate-rollover.ts";
import type { AuditAction } from "../../../vocabulary/audit-action.ts";
import { systemAuditEvent } from "../../steps/audit/system-audit-event.ts";
import type { ComposeDeps } from "../../steps/email/compose-email.ts";
import { mailOwners } from "../../steps/email/mail-owners.ts";
import { attempt } from "./attempt-work.ts";
import { connectionPageUrl } from "./urls.ts";

export type WarnDeps = ComposeDeps & Pick<Deps, "clock" | "config" | "database" | "log">;

export interface ExpiryScan {
  readonly warnings: number;
  /** Milliseconds since the epoch: the first end that is in the future. */
  readonly nextExpiry: number | undefined;
}

export interface ExpiringCredential {
  readonly connection: NamedConnection;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Identifies the credential among the warnings of the connection: a hash in hexadecimal. */
  readonly sha256: string;
  readonly kind: ExpiryKind;
  readonly action: Extract<AuditAction, "sso.certificate.expiring" | "sso.secret.expiring">;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The last time at which a warning is due; undefined: the credential is valid for long. */
export function warningStage(endsAt: number, now: number): number | undefined {
  const before = SAML_CERTIFICATE_WARNING_DAYS.map((days) => endsAt - days * DAY_MS);
  const period = SAML_CERTIFICATE_REPEAT_DAYS * DAY_MS;
  const repeats = Math.floor((now - endsAt) / period);
  const passed = [...before, ...(repeats >= 1 ? [endsAt + repeats * period] : [])].filter((time) => time <= now);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

/** Warns the owners if a warning is due, once over all replicas. */
async function warnOfExpiry(deps: WarnDeps, credential: ExpiringCredential): Promise<boolean> {
  const { connection, endsAt, sha256, kind, action, metadata } = credential;
  const { id, organizationId } = connection;
  const now = deps.clock.now();
  const stage = warningStage(endsAt, now);
  if (stage === undefined) return false;
  const at = new Date(now);
  const days = Math.ceil((endsAt - now) / DAY_MS);
  return await deps.database.transaction("sso_connection.warn_of_expiry", async (sql) => {
    const stages = { stage: new Date(stage), at };
    if (!(await claimExpiryWarning(sql, { connectionId: id, sha256 }, stages))) return false;
    const event = { action, at, organizationId, metadata: { ...metadata, days } } as const;
    await recordAudit(sql, systemAuditEvent(deps, { ...event, resource: { type: "sso_connection", id } }));
    const values = {
      connection: inertName(connection.name),
      time: noticeTime(new Date(endsAt)),
      link: connectionPageUrl(deps, id),
    };
    await mailOwners(deps, sql, organizationId, { kind, values }, { at });
    return true;
  });
}

/** Counts the warnings of the credentials, and finds the first end in the future. */
export async function scanExpiries(
  deps: WarnDeps,
  credentials: AsyncIterable<ExpiringCredential>,
): Promise<ExpiryScan> {
  let [warnings, nextExpiry] = [0, Number.POSITIVE_INFINITY];
  for await (const credential of credentials) {
    if (credential.endsAt > deps.clock.now()) nextExpiry = Math.min(nextExpiry, credential.endsAt);
    if (await attempt(deps, credential.connection, () => warnOfExpiry(deps, credential))) warnings += 1;
  }
  return { warnings, nextExpiry: Number.isFinite(nextExpiry) ? nextExpiry : undefined };
}
