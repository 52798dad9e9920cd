import { createHash } from "node:crypto";
import { boundedFetch } from "../../base/bounded-fetch.ts";
import { PASSWORD_RANGE_DEADLINE_MS, PASSWORD_RANGE_MAX_BYTES } from "../../base/limits.ts";
import type { PasswordCheck } from "./password-check.ts";

export interface HibpOptions {
  /** Base of the range API, without a slash at its end. */
  readonly apiUrl: string;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Have I Been Pwned by k-anonymity: the first five hexadecimal digits of the SHA-1 leave the house, the answer holds the rest of some
 * eight hundred hashes, padded so that its length tells nothing. SHA-1 is the API's choice; nothing is protected by it.
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
  if (!response.ok) throw new Error(`range query answered ${response.status}`);
  return await response.text();
}
