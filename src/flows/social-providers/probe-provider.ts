import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  listSocialProviders,
  openSocialSecret,
  type SocialProvider,
} from "../../models/social-provider/social-provider.ts";
import type { ProviderCheck } from "../../providers/identity/examine-provider.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

export type ProbeSocialDeps = StoreDeps & Pick<Deps, "configKeys" | "identityProviders">;

export interface SocialProbe {
  readonly ok: boolean;
  /** The first check that failed, else that every check passed. */
  readonly detail: string;
  readonly checks: readonly ProviderCheck[];
}

interface ProbeInput {
  readonly caller: PlatformCaller;
  readonly client: RequestContext;
  readonly provider: string;
}

/**
 * POST /v1/admin/social-providers/:provider/test (docs/contract.md, section 15.7): tests the stored settings, enabled
 * or not. A failed test is an outcome, not a refusal.
 */
export async function probeSocialProvider(
  deps: ProbeSocialDeps,
  { caller, client, provider }: ProbeInput,
): Promise<Result<SocialProbe, Refusal<"not_found">>> {
  const rows = await deps.database.run("social_provider.list", listSocialProviders);
  const row = rows.find((each) => each.provider === provider);
  if (!row) return err(refusal("not_found", "There is no such social provider."));
  const checks = [examineSecret(deps, row), ...(await deps.identityProviders.examine(provider, row.config))];
  const failed = checks.find((check) => !check.ok);
  const entry = userAuditEvent(deps, caller.actor, client, {
    action: "social_provider.tested",
    at: new Date(deps.clock.now()),
    outcome: failed ? "failure" : "success",
    resource: { type: "social_provider", id: provider },
    metadata: { provider },
  });
  await deps.database.run("audit.record", (sql) => recordAudit(sql, entry));
  return ok({ ok: !failed, detail: failed?.detail ?? "Every check passed.", checks });
}

function examineSecret({ configKeys }: ProbeSocialDeps, row: SocialProvider): ProviderCheck {
  const check = "secret";
  const { client_id: clientId, token_auth: auth } = row.config;
  if (clientId === null) return { check, ok: false, detail: "No client id is stored." };
  if (auth === "none") return { check, ok: true, detail: "The provider expects no secret." };
  if (row.sealedSecret === null) return { check, ok: false, detail: "No secret is stored." };
  return openSocialSecret(configKeys, row) === undefined
    ? { check, ok: false, detail: "The secret cannot be opened: the key that sealed the secret is not configured." }
    : { check, ok: true, detail: "A client id and a secret are stored." };
}
