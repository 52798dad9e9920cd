/**
 * Owns: the content of the geolocation file (SERVICE_GEOIP_FILE).
 * Updated by: a poll that notices a replaced file.
 * Bound: one file of at most `GEOLOCATION_FILE_MAX_BYTES`; briefly two while a replaced file loads.
 * A crash loses: nothing; the next start reads the file again.
 */
import { stat } from "node:fs/promises";
import { type Loop, startLoop } from "../base/loop.ts";
import { GEOLOCATION_POLL_MS } from "../limits/geolocation-limits.ts";
import { type Locate, loadGeolocationFile } from "../providers/geolocation/geolocation-file.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Location } from "../vocabulary/location.ts";

export interface Geolocation {
  /** Loads the file. Never rejects: without a readable file every place is unknown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Looks an address up in memory. Null: the place is unknown. */
  locate(ipAddress: string | null): Location | null;
}

export interface GeolocationDeps {
  /** Undefined: every place is unknown. */
  readonly path: string | undefined;
  readonly log: Logger;
  readonly pollMs?: number;
}

export function geolocation({ path, log, pollMs = GEOLOCATION_POLL_MS }: GeolocationDeps): Geolocation {
  let locate: Locate | undefined;
  let loadedVersion: string | undefined;
  let loop: Loop | undefined;

  /** A file that cannot be used is reported once, and the previous content remains in use. */
  async function refresh(file: string): Promise<void> {
    const version = await versionOf(file);
    if (version === loadedVersion) return;
    loadedVersion = version;
    try {
      locate = await loadGeolocationFile(file);
      log.info("the geolocation file was loaded");
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unreadable";
      log.warn(`SERVICE_GEOIP_FILE: ${reason}; places stay ${locate ? "those of the previous file" : "unknown"}`);
    }
  }

  return {
    async start() {
      if (path === undefined || loop) return;
      await refresh(path);
      const onFailure = (error: unknown) => log.warn({ err: error }, "the geolocation file could not be checked");
      loop = startLoop({ pauseMs: pollMs, round: () => refresh(path), onFailure });
    },
    async stop() {
      await loop?.stop();
    },
    locate: (ipAddress) => (ipAddress === null ? null : (locate?.(ipAddress) ?? null)),
  };
}

/** Changes with every replacement of the file. */
async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return "absent";
  }
}
