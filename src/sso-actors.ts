/** Constructs actors of single sign-on (`actor-roster.ts`). */
import { type CertificateWatch, certificateWatch } from "./actors/certificate-watch.ts";
import { type DomainChecks, domainChecks } from "./actors/domain-checks.ts";
import { type PowerChecks, powerChecks } from "./actors/power-checks.ts";
import { checkDueDomains } from "./flows/organization-domains/check-due.ts";
import { checkPower, type PowerCheckDeps } from "./flows/sso/check-power.ts";
import { rollDueCertificates } from "./flows/sso/connections/roll-certificates.ts";
import { warnExpiringCredentials } from "./flows/sso/connections/warn-expiring-credentials.ts";
import type { Foundation } from "./foundation.ts";
import { metadataFetch } from "./providers/saml/fetch-metadata.ts";

export function openCertificateWatch(
  opened: Omit<Parameters<typeof rollDueCertificates>[0], "fetchIdpMetadata"> & Foundation,
): CertificateWatch {
  const deps = { ...opened, fetchIdpMetadata: metadataFetch(opened.config.webhooks) };
  return certificateWatch({
    ...deps,
    rollDue: (isStopped) => rollDueCertificates(deps, isStopped),
    warn: (isStopped) => warnExpiringCredentials(deps, isStopped),
    wakeOutbox: deps.outbox.wake,
  });
}

export function openDomainChecks(deps: Parameters<typeof checkDueDomains>[0] & Pick<Foundation, "log">): DomainChecks {
  const { database, random, log } = deps;
  return domainChecks({ database, random, log, checkDue: (isStopped) => checkDueDomains(deps, isStopped) });
}

export function openPowerChecks(deps: PowerCheckDeps & Pick<Foundation, "database" | "log">): PowerChecks {
  const { database, log } = deps;
  return powerChecks({ database, log, check: (check, isStopped, turn) => checkPower(deps, check, isStopped, turn) });
}
