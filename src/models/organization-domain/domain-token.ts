/** The DNS record that proves the ownership of a domain (docs/contract.md, section 29.3). */
import { base62Text } from "../../base/base62.ts";
import type { Random } from "../../base/random.ts";
import { DOMAIN_TOKEN_CHARACTERS } from "../../limits/sso-limits.ts";

/** 190 random bits, different for every claim. */
export function makeDomainToken(random: Pick<Random, "bytes">): string {
  return base62Text(random, DOMAIN_TOKEN_CHARACTERS);
}
