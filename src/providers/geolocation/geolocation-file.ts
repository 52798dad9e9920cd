import { readFile, stat } from "node:fs/promises";
import { type CityResponse, Reader } from "mmdb-lib";
import { normalizeName } from "../../base/display-name.ts";
import { GEOLOCATION_FILE_MAX_BYTES } from "../../limits/geolocation-limits.ts";
import type { Location } from "../../vocabulary/location.ts";

/** A function that looks an IP address up in memory. */
export type Locate = (ipAddress: string) => Location | null;

const COUNTRY_CODE = /^[A-Z]{2}$/;

/**
 * Loads an MMDB file with the records of GeoIP2 Country or City (MaxMind DB File Format Specification 2.0). Rejects, in
 * one line, for a file that is too large or no MMDB file.
 */
export async function loadGeolocationFile(path: string): Promise<Locate> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Error("no such file");
  const { size } = found;
  if (size > GEOLOCATION_FILE_MAX_BYTES) throw new Error(`larger than ${GEOLOCATION_FILE_MAX_BYTES / 1024 ** 2} MiB`);
  const reader = openReader(await readFile(path));
  return (ipAddress) => {
    try {
      return toLocation(reader.get(ipAddress));
    } catch {
      // A damaged record must not fail the request that displays the address.
      return null;
    }
  };
}

function openReader(content: Buffer): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(content);
    // A file cut short can have valid metadata: one look-up follows the tree into the data section.
    reader.get("192.0.2.1");
    return reader;
  } catch {
    throw new Error("not an MMDB file");
  }
}

function toLocation(record: CityResponse | null): Location | null {
  const code = record?.country?.iso_code;
  const name = record?.city?.names?.en;
  const country = typeof code === "string" && COUNTRY_CODE.test(code) ? code : null;
  const city = typeof name === "string" ? (normalizeName(name) ?? null) : null;
  return country || city ? { country, city } : null;
}
