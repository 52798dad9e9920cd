/** The actions of the forms of the directory. */

import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import {
  DEFAULT_DIRECTORY,
  DIRECTORY_ROLES,
  OUTSIDE_DOMAINS,
  putDirectory,
  ROLE_SOURCES,
  readDirectory,
} from "../../flows/directories/administer.ts";
import { createDirectoryKey } from "../../flows/directories/keys.ts";
import { mapGroupRole } from "../../flows/directories/map-group.ts";
import { removeDirectory } from "../../flows/directories/remove-directory.ts";
import { revokeKey } from "../../flows/service-accounts/keys.ts";
import { authorizeDirectoryManager } from "../../flows/steps/authorization/authorize-directory-manager.ts";
import type { MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeServiceAccountAdmin } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { DIRECTORY_DELETION_IDLE_SECONDS } from "../../limits/directory-limits.ts";
import type { DirectoryRole, DirectorySettings } from "../../models/directory/directory.ts";
import { confirmsChannels } from "../fields.ts";
import { type AuthenticatedCall, type Fields, memberIn, NOTHING_THERE, textAt, uuidIn } from "../page.ts";
import type { View } from "../view.tsx";
import type { DirectorySection } from "./paths.ts";

export type DirectoryActionDeps = SessionDeps & EmailDeps & Pick<Deps, "directoryRequests">;

/** The result to display, or the secret of a new key. */
type Outcome = string | { readonly secret: string };

/** The sentence of a result. */
export function directoryResultOf({ t: { provisioning, serviceAccounts } }: View, result: string): string | undefined {
  const { created, deleted, mapped, paused, resumed, saved } = provisioning;
  return textAt({ created, deleted, mapped, paused, resumed, saved, revoked: serviceAccounts.keyRevoked }, result);
}

/** The section that displays the result of a step. */
export function sectionOfStep(step: string): DirectorySection {
  return step === "map" ? "groups" : "overview";
}

/** Executes the action of the pressed button. */
export async function changeDirectory(
  deps: DirectoryActionDeps,
  call: AuthenticatedCall,
): Promise<Result<Outcome, Refusal>> {
  const { session } = call.caller;
  const authorized = await authorizeDirectoryManager(deps, session, session.organizationId);
  if (!authorized.ok) return authorized;
  const caller = authorized.value;
  const { form, client } = call;
  switch (form.text("step")) {
    case "create":
      return await create(deps, call, caller);
    case "save":
      return await save(deps, call, caller, (stored) => settingsIn(form, stored), "saved");
    case "pause":
      return await save(deps, call, caller, (stored) => ok({ ...stored, status: "paused" }), "paused");
    case "resume":
      return await save(deps, call, caller, (stored) => ok({ ...stored, status: "active" }), "resumed");
    case "map": {
      const role = roleIn(form);
      if (role === undefined) return UNKNOWN_ROLE;
      const mapping = { groupId: uuidIn(form.text("group")), role };
      return done(
        await mapGroupRole(deps, {
          caller,
          client,
          ...mapping,
          confirm: confirmsChannels(form),
          displayed: form.has("version") ? form.text("version") : undefined,
        }),
        "mapped",
      );
    }
    case "delete":
      call.waitAtMost(DIRECTORY_DELETION_IDLE_SECONDS);
      return done(await removeDirectory(deps, { caller, client }), "deleted");
    case "create-key":
    case "revoke-key":
      return await changeKeys(deps, call);
    default:
      return err(NOTHING_THERE);
  }
}

/** Keys have a permission of their own. */
async function changeKeys(deps: DirectoryActionDeps, call: AuthenticatedCall): Promise<Result<Outcome, Refusal>> {
  const { caller: user, form, client } = call;
  const { organizationId } = user.session;
  const scope = { organizationId, permission: "machines.manage" } as const;
  const authorized = await authorizeServiceAccountAdmin(deps, user.session, scope);
  if (!authorized.ok) return authorized;
  const caller = authorized.value;
  if (form.text("step") === "create-key") {
    const created = await createDirectoryKey(deps, { caller, organizationId, client });
    return created.ok ? ok({ secret: created.value.key }) : created;
  }
  const [account = "", key = ""] = form.text("id").split("/");
  return done(await revokeKey(deps, { caller, accountId: uuidIn(account), keyId: uuidIn(key), client }), "revoked");
}

/** A form that is sent twice, or after the directory was created elsewhere, keeps the settings. */
async function create(
  deps: DirectoryActionDeps,
  { client }: AuthenticatedCall,
  caller: MemberCaller,
): Promise<Result<Outcome, Refusal>> {
  const stored = await readDirectory(deps, caller);
  if (stored.ok) return ok("created");
  return done(await putDirectory(deps, { caller, client, settings: DEFAULT_DIRECTORY }), "created");
}

async function save(
  deps: DirectoryActionDeps,
  { client, form }: AuthenticatedCall,
  caller: MemberCaller,
  change: (stored: DirectorySettings) => Result<DirectorySettings, Refusal>,
  result: string,
): Promise<Result<Outcome, Refusal>> {
  const stored = await readDirectory(deps, caller);
  if (!stored.ok) return stored;
  const { status, defaultRole, outsideDomains, roleSource } = stored.value;
  const settings = change({ status, defaultRole, outsideDomains, roleSource });
  if (!settings.ok) return settings;
  return done(
    await putDirectory(deps, { caller, client, settings: settings.value, confirm: confirmsChannels(form) }),
    result,
  );
}

/** An absent value keeps the stored value. */
function settingsIn(form: Fields, stored: DirectorySettings): Result<DirectorySettings, Refusal> {
  const chosen = <const Value extends string>(values: readonly Value[], name: string, kept: Value) =>
    form.has(name) ? memberIn(values, form.text(name)) : kept;
  const defaultRole = chosen(DIRECTORY_ROLES, "default_role", stored.defaultRole);
  const outsideDomains = chosen(OUTSIDE_DOMAINS, "outside_domains", stored.outsideDomains);
  const roleSource = chosen(ROLE_SOURCES, "role_source", stored.roleSource);
  if (!defaultRole) return unknownValue("default_role");
  if (!outsideDomains) return unknownValue("outside_domains");
  if (!roleSource) return unknownValue("role_source");
  return ok({ ...stored, defaultRole, outsideDomains, roleSource });
}

function unknownValue(field: string): Result<never, Refusal> {
  return err(invalidInput(field, "unknown_value", "is not one of the displayed values"));
}

const UNKNOWN_ROLE = unknownValue("role");

/** The role of a form or an address: null for none, undefined for an unknown role. */
export function roleIn(fields: Fields): DirectoryRole | null | undefined {
  const role = fields.text("role");
  return role === "" ? null : memberIn(DIRECTORY_ROLES, role);
}

function done(result: Result<unknown, Refusal>, what: string): Result<Outcome, Refusal> {
  return result.ok ? ok(what) : result;
}
