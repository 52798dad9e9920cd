import { createHash } from "node:crypto";
import { boundedFetch } from "../../base/bounded-fetch.ts";
import { PASSWORD_RANGE_DEADLINE_MS, PASSWORD_RANGE_MAX_BYTES } from "../../limits/account-limits.ts";
import type { PasswordCheck } from "./password-check.ts";

export interface HibpOptions {
  /** Base URL of the range API, without a trailing slash. */
  readonly apiUrl: string;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Have I Been Pwned with k-anonymity: only the first five hexadecimal digits of the SHA-1 are sent. The response has
 * the suffixes of about 800 hashes, padded so the length reveals no information. The API requires SHA-1; no guarantee
 * relies on SHA-1.
 */
export function hibpCheck(options: HibpOptions): PasswordCheck {
  return {
    async isCommon(password) {
      const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
      try {
        const range = await readRange(options.apiUrl, hash.slice(0, 5));
        const count = new RegExp(`^${hash.slice(5)}:(\\d+)\\s*$`, "m").exec(range)?.[1];
        // Padding has a count of zero.
        return Number(count ?? 0) > 0;
      } catch (error) {
        options.onFailure(error);
        return false;
      }
    },
  };
}

async function readRange(apiUrl: string, prefix: string): Promise<string> {
  const headers = { "add-padding": "true", "user-agent": "identity-service" };
  const bounds = { deadlineMs: PASSWORD_RANGE_DEADLINE_MS, maxBytes: PASSWORD_RANGE_MAX_BYTES };
  const response = await boundedFetch(`${apiUrl}/range/${prefix}`, { headers }, bounds);
  if (!response.ok) throw new Error(`range query returned status ${response.status}`);
  return await response.text();
}
