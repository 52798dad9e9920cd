/** The steps that remain after an installation, each derived from stored state and settings. */
import { clampPage } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import type { ProviderView } from "../../models/provider-config/provider-config.ts";
import type { Profile } from "../../models/user/profile.ts";
import { listAllClients } from "../oauth/clients/list-clients.ts";
import type { PlatformUser } from "../steps/authorization/authorize-platform-role.ts";
import { searchUsers } from "../users/search.ts";

export const FIRST_RUN_STEPS = ["factor", "email", "brand", "application", "colleague"] as const;
export type FirstRunStep = (typeof FIRST_RUN_STEPS)[number];
/** Whether each step is done. */
export type FirstRun = Readonly<Record<FirstRunStep, boolean>>;

type FirstRunDeps = Pick<Deps, "database" | "reads" | "config">;

interface FirstRunInput {
  /** An Admin or higher. */
  readonly caller: PlatformUser;
  readonly profile: Profile;
  readonly providers: readonly ProviderView[];
}

/** Only the total of the list counts. */
const COUNTED = clampPage(1, 1);

/** The steps of the first run, for the administrator who sees the overview. */
export async function readFirstRun(
  deps: FirstRunDeps,
  { caller, profile, providers }: FirstRunInput,
): Promise<FirstRun> {
  const [clients, administrators] = await Promise.all([
    listAllClients(deps, { caller, page: COUNTED }),
    countAdministrators(deps, caller),
  ]);
  return {
    factor: profile.mfaEnabled || caller.session.aal === "aal2",
    email: hasEmailProvider(deps, providers),
    brand: hasBrand(deps),
    application: clients.total > 0,
    colleague: administrators > 1,
  };
}

async function countAdministrators(deps: FirstRunDeps, caller: PlatformUser): Promise<number> {
  const totals = await Promise.all(
    (["admin", "owner"] as const).map((platformRole) =>
      searchUsers(deps, { caller, search: { platformRole, disabled: false }, page: COUNTED }),
    ),
  );
  return totals.reduce((sum, found) => sum + (found.ok ? found.value.total : 0), 0);
}

function hasEmailProvider({ config: { mail } }: FirstRunDeps, providers: readonly ProviderView[]): boolean {
  const stored = providers.find(({ provider }) => provider === "email_transport");
  return (stored?.enabled && !stored.degraded) || mail.apiKey !== undefined || mail.smtpUrl !== undefined;
}

/** The default name is the host, or `Identity` in embedded mode (docs/configuration.md, SERVICE_BRAND_NAME). */
function hasBrand({ config: { brand, embedded, urls } }: FirstRunDeps): boolean {
  const unnamed = embedded ? "Identity" : new URL(urls.publicBaseUrl).hostname;
  return brand.name !== unnamed || [brand.logo, brand.accent, brand.style].some((value) => value !== undefined);
}
