import type { Deps } from "../../deps.ts";
import type { TokenLifetimes } from "../../models/oauth-grant/token-family.ts";

/** The provider's tokens have the lifetimes of session tokens. */
export function tokenLifetimes({ config }: Pick<Deps, "config">): TokenLifetimes {
  const { accessExpirySeconds, refreshMaxAgeSeconds, sessionMaxAgeSeconds } = config.tokens;
  return {
    accessMs: accessExpirySeconds * 1000,
    refreshMs: refreshMaxAgeSeconds * 1000,
    familyMs: sessionMaxAgeSeconds * 1000,
  };
}
