/** Invitations as links, which a program delivers in place of an email (docs/contract.md, section 13.1). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import type { NewInvitation } from "../../models/invitation/invitation.ts";
import { findUserIdByEmail } from "../../models/user/user-address.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { permitAddress, refuseProtected } from "../steps/authorization/protected-users.ts";

export type Delivery = NewInvitation["delivery"];

const FOR_PROGRAMS = byRule(
  "permission",
  refusal(
    "forbidden",
    "A link in place of an email is for programs of the platform with the permission users.credentials.",
  ),
  "users.credentials",
);

/**
 * Decides whether the caller receives the link. The acceptance verifies the address, so that an organization with the
 * link could verify any address. `email`: undefined before the invitation is read.
 */
export function permitDelivery(
  deps: Pick<StoreDeps, "config">,
  { platformProgram }: Pick<OrganizationCaller, "platformProgram">,
  delivery: Delivery,
  email: string | undefined,
): Result<void, Refusal<"forbidden">> {
  if (delivery === "mail") return ok(undefined);
  if (!platformProgram?.receivesLinks) return err(FOR_PROGRAMS);
  return email === undefined ? ok(undefined) : permitAddress(deps, { role: null }, email);
}

/** Inside the sending transaction: a program receives no link for a user with a platform role (section 35.5). */
export async function permitInvitee(
  sql: Sql,
  caller: Pick<OrganizationCaller, "credential">,
  delivery: Delivery,
  email: string,
): Promise<Result<void, Refusal<"forbidden">>> {
  const userId = delivery === "link" ? await findUserIdByEmail(sql, email, undefined) : undefined;
  return userId === undefined ? ok(undefined) : await refuseProtected(sql, caller, [userId]);
}
