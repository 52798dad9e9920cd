import { createHash } from "node:crypto";
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
  const response = await fetch(`${apiUrl}/range/${prefix}`, {
    headers: { "add-padding": "true", "user-agent": "identity-service" },
    redirect: "error",
    signal: AbortSignal.timeout(PASSWORD_RANGE_DEADLINE_MS),
  });
  if (!response.ok || !response.body) throw new Error(`range query answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > PASSWORD_RANGE_MAX_BYTES) throw new Error("range query answered too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("latin1");
}
