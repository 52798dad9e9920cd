/**
 * Owns: the start of the daily readings of metadata, the start of warnings about certificates of identity providers
 * and client secrets, and the metric of the next expiry.
 * Started by: a timer on every replica. Claims in PostgreSQL give each reading and each warning to one replica.
 * Bound: `SAML_METADATA_BATCH` readings of a round.
 * A crash loses: the reading under way, until the next day; no warning.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { SAML_CERTIFICATE_HORIZON_MS, SAML_CERTIFICATE_SCAN_MS, SAML_METADATA_LOOK_MS } from "../limits/saml-limits.ts";
import type { Logger } from "../telemetry/log.ts";

export interface CertificateWatch {
  start(): void;
  stop(): Promise<void>;
  /** Seconds until the next certificate or client secret ends, at most a year; undefined before the first scan. */
  nextExpirySeconds(): number | undefined;
}

export interface CertificateWatchDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly rollDue: (isStopped: () => boolean) => Promise<unknown>;
  readonly warn: (isStopped: () => boolean) => Promise<{ warnings: number; nextExpiry: number | undefined }>;
  readonly wakeOutbox: () => void;
}

export function certificateWatch({ clock, log, rollDue, warn, wakeOutbox }: CertificateWatchDeps): CertificateWatch {
  let nextExpiry: number | undefined;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let loop: Loop | undefined;

  async function scan(isStopped: () => boolean): Promise<void> {
    if (clock.now() - scannedAt < SAML_CERTIFICATE_SCAN_MS) return;
    const scanned = await warn(isStopped);
    nextExpiry = scanned.nextExpiry ?? Number.POSITIVE_INFINITY;
    scannedAt = clock.now();
    if (scanned.warnings > 0) wakeOutbox();
  }

  return {
    start() {
      loop = startLoop({
        pauseMs: SAML_METADATA_LOOK_MS,
        async round(isStopped) {
          await rollDue(isStopped);
          await scan(isStopped);
        },
        onFailure: (error) => log.warn({ err: error }, "certificates: a round failed; the next one continues"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    nextExpirySeconds: () =>
      nextExpiry === undefined ? undefined : Math.min(nextExpiry - clock.now(), SAML_CERTIFICATE_HORIZON_MS) / 1000,
  };
}
