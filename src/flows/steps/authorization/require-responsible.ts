import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { findPerson } from "../../../models/channel/channel-holder.ts";
import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";
import { isProgramCredential } from "../credentials/lock-credential.ts";
import { FULL_POWER, NO_POWER, presentPower } from "../power/holder-power.ts";
import type { OrganizationCaller, ResponsibleCaller } from "./authorize-member.ts";

const WITHOUT_CREATOR = refusal("forbidden", "The user who created this key was deleted. Create a new key.");
const BELOW_CREATOR = byRule(
  "widening",
  refusal(
    "forbidden",
    "A program needs every permission of the user who created its key: that user becomes responsible for the setting.",
  ),
);

/**
 * Requires a user who is responsible for what the caller sets up: a connection, domain or set-up link acts later with
 * the power of that user (docs/contract.md, section 32.9). A program has the power of its scopes, and a setting must
 * not have more: the program covers the user who created its key.
 */
export async function requireResponsible(
  deps: Pick<Deps, "database">,
  caller: OrganizationCaller,
): Promise<Result<ResponsibleCaller, Refusal<"forbidden">>> {
  const { responsibleId, credential } = caller;
  if (responsibleId === null) return err(WITHOUT_CREATOR);
  const responsible = { ...caller, responsibleId } as ResponsibleCaller;
  if (!isProgramCredential(credential)) return ok(responsible);
  const power = await findResponsiblePower(deps, caller, responsibleId);
  return mayChange(powerOverRoles(caller), power) ? ok(responsible) : err(BELOW_CREATOR);
}

async function findResponsiblePower(
  { database }: Pick<Deps, "database">,
  { organizationId, platformProgram }: OrganizationCaller,
  responsibleId: string,
): Promise<MemberPower> {
  if (platformProgram) return FULL_POWER;
  const person = await database.run("member.find_person", (sql) => findPerson(sql, organizationId, responsibleId));
  return presentPower(person) ?? NO_POWER;
}

/** A program of the platform with `organizations.write` counts as an owner for a change of roles. */
export function powerOverRoles(caller: OrganizationCaller): MemberPower {
  return caller.platformProgram?.changesOwners ? { role: "owner", granted: caller.granted } : caller;
}
