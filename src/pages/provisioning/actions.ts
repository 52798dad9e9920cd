/** The actions of the forms of the directory. */
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionDeps } from "../../deps.ts";
import { putDirectory, readDirectory, removeDirectory } from "../../flows/directories/administer.ts";
import { createDirectoryKey } from "../../flows/directories/keys.ts";
import { mapGroupRole } from "../../flows/directories/map-group.ts";
import { revokeKey } from "../../flows/service-accounts/keys.ts";
import { authorizeDirectoryManager } from "../../flows/steps/authorization/authorize-directory-manager.ts";
import type { MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeServiceAccountAdmin } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import type { DirectorySettings } from "../../models/directory/directory.ts";
import { type AuthenticatedCall, type Fields, NOTHING_THERE, textAt, uuidIn } from "../page.ts";
import type { View } from "../view.tsx";
import type { DirectorySection } from "./paths.ts";

export type DirectoryActionDeps = SessionDeps;

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

const DEFAULTS: DirectorySettings = {
  status: "active",
  defaultRole: "member",
  outsideDomains: "invite",
  roleSource: "groups",
};

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
      return await save(deps, call, caller, () => DEFAULTS, "created");
    case "save":
      return await save(deps, call, caller, (stored) => ({ ...stored, ...settingsIn(form, stored) }), "saved");
    case "pause":
      return await save(deps, call, caller, (stored) => ({ ...stored, status: "paused" }), "paused");
    case "resume":
      return await save(deps, call, caller, (stored) => ({ ...stored, status: "active" }), "resumed");
    case "map": {
      const mapping = { groupId: uuidIn(form.text("group")), role: roleIn(form) };
      return done(await mapGroupRole(deps, { caller, client, ...mapping }), "mapped");
    }
    case "delete":
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

async function save(
  deps: DirectoryActionDeps,
  { client }: AuthenticatedCall,
  caller: MemberCaller,
  change: (stored: DirectorySettings) => DirectorySettings,
  result: string,
): Promise<Result<Outcome, Refusal>> {
  const stored = await readDirectory(deps, caller);
  if (!stored.ok && result !== "created") return stored;
  const { status, defaultRole, outsideDomains, roleSource } = stored.ok ? stored.value : DEFAULTS;
  const settings = change({ status, defaultRole, outsideDomains, roleSource });
  return done(await putDirectory(deps, { caller, client, settings }), result);
}

/** An unknown value keeps the stored value. */
function settingsIn(form: Fields, stored: DirectorySettings): Omit<DirectorySettings, "status"> {
  const [defaultRole, outsideDomains, roleSource] = ["default_role", "outside_domains", "role_source"].map((name) =>
    form.text(name),
  );
  return {
    defaultRole: defaultRole === "admin" || defaultRole === "member" ? defaultRole : stored.defaultRole,
    outsideDomains: outsideDomains === "invite" || outsideDomains === "refuse" ? outsideDomains : stored.outsideDomains,
    roleSource: roleSource === "groups" || roleSource === "none" ? roleSource : stored.roleSource,
  };
}

/** The role of a form or an address; null for none and for an unknown role. */
export function roleIn(fields: Fields): "admin" | "member" | null {
  const role = fields.text("role");
  return role === "admin" || role === "member" ? role : null;
}

function done(result: Result<unknown, Refusal>, what: string): Result<Outcome, Refusal> {
  return result.ok ? ok(what) : result;
}
