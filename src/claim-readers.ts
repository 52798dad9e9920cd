/** The readers of claims about users, part of the construction in `app.ts`. */
import type { Database } from "./database/database.ts";
import type { Deps } from "./deps.ts";
import { sourceReader } from "./models/claim-mapping/source-values.ts";
import { userClaimsReader } from "./models/oauth-grant/user-claims.ts";

export function openClaimReaders(database: Pick<Database, "run">): Pick<Deps, "claimSources" | "userClaims"> {
  return { claimSources: sourceReader(database), userClaims: userClaimsReader(database) };
}
