import { isDeepStrictEqual } from "node:util";
import { changedMeanwhile, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  listRegistrationSettings,
  type RegistrationRow,
  replaceRegistrationSettings,
} from "../../models/registration-settings/registration-settings.ts";
import { type RegistrationSettings, registrationOf, type StoredRegistration } from "../../vocabulary/registration.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";
import { validateRegistration } from "./registration-rules.ts";

const CHANGED_MEANWHILE = changedMeanwhile("The settings have changed since you read them.");

/** The settings in force, and the version of the stored row. */
export interface RegistrationNow extends RegistrationSettings {
  /** 0: no row is stored, and the environment decides. */
  readonly revision: number;
  readonly updatedAt: Date | null;
}

/** GET /v1/admin/registration (docs/contract.md, section 37.1), read from PostgreSQL. `_caller`: a Viewer or higher. */
export async function readRegistration(
  deps: Pick<Deps, "config" | "database">,
  _caller: PlatformCaller,
): Promise<Result<RegistrationNow, never>> {
  const [row] = await deps.database.run("registration.find", listRegistrationSettings);
  return ok(nowOf(deps, row));
}

function nowOf({ config }: Pick<Deps, "config">, row: RegistrationRow | undefined): RegistrationNow {
  const settings = registrationOf(row?.settings ?? { mode: config.registrationMode });
  return { ...settings, revision: row?.revision ?? 0, updatedAt: row?.updatedAt ?? null };
}

export interface ReplaceRegistrationInput {
  /** An Admin or higher, with a step-up. */
  readonly caller: PlatformCaller;
  /** Absent members have the defaults of the mode. */
  readonly settings: StoredRegistration;
  /** The revision that the caller has read; undefined: any. */
  readonly revision: number | undefined;
  readonly client: RequestContext;
}

export type RegistrationDeps = StoreDeps & Pick<Deps, "registration">;

/**
 * PUT /v1/admin/registration (docs/contract.md, section 37.1): in use at once on this replica, announced to the other
 * replicas. Equal settings change and record nothing.
 */
export async function replaceRegistration(
  deps: RegistrationDeps,
  { caller, settings, revision, client }: ReplaceRegistrationInput,
): Promise<Result<RegistrationNow, Refusal<"conflict" | "invalid_input">>> {
  const valid = validateRegistration(settings);
  if (!valid.ok) return valid;
  const at = new Date(deps.clock.now());
  const replaced = await deps.database.transaction("registration.replace", async (sql) => {
    await lockName(sql, "registration settings");
    const [before] = await listRegistrationSettings(sql);
    if (revision !== undefined && revision !== (before?.revision ?? 0)) return err(CHANGED_MEANWHILE);
    if (before && isDeepStrictEqual(before.settings, valid.value)) return ok(before);
    const entry = userAuditEvent(deps, caller.actor, client, {
      action: "registration.updated",
      at,
      resource: { type: "registration", id: "" },
      metadata: {
        mode: valid.value.mode,
        fields: changedFields(nowOf(deps, before), registrationOf(valid.value)).join(" "),
      },
    });
    const [row] = await sql<RegistrationRow[]>`
      with written as (${replaceRegistrationSettings(sql, valid.value, at)}),
      audit as (${insertAudit(sql, entry, sql`from written`)})
      select * from written`;
    return row ? ok(row) : err(CHANGED_MEANWHILE);
  });
  if (!replaced.ok) return replaced;
  await deps.registration.changed();
  return ok(nowOf(deps, replaced.value));
}

/** The names of the members in the API. */
export const REGISTRATION_MEMBERS = {
  mode: "mode",
  methods: "methods",
  allowedDomains: "allowed_domains",
  blockedDomains: "blocked_domains",
  link: "link",
} as const satisfies Record<keyof RegistrationSettings, string>;

function changedFields(before: RegistrationSettings, after: RegistrationSettings): string[] {
  const names = Object.keys(REGISTRATION_MEMBERS) as (keyof RegistrationSettings)[];
  return names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => REGISTRATION_MEMBERS[name]);
}
