import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findReach } from "../../flows/service-accounts/find-reach.ts";
import type { CreateKeyInput } from "../../flows/service-accounts/keys.ts";
import type { ServiceAccountAdmin } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { KEY_SCOPES, type KeyScope } from "../../vocabulary/key-scope.ts";
import type { Fields } from "../fields.ts";
import { KEY_DAYS_MAX, scopeField } from "./view-model.ts";

export const NO_SCOPES = invalidInput("scopes", "required", "at least one");
const BAD_DAYS = invalidInput("days", "format", `1 to ${KEY_DAYS_MAX}`);

/** The ticked scopes of the form of a key or trust. */
export function chosenScopes(fields: Fields): readonly KeyScope[] {
  return KEY_SCOPES.filter((scope) => fields.has(scopeField(scope)));
}

type SubmittedKey = Omit<CreateKeyInput, "accountId" | "caller" | "client">;

/** The key of the submitted form. `invalid_input` names the field. */
export async function keyIn(
  deps: Pick<Deps, "database">,
  caller: ServiceAccountAdmin,
  fields: Fields,
): Promise<Result<SubmittedKey, Refusal<"invalid_input">>> {
  const scopes = chosenScopes(fields);
  const days = Number(fields.text("days"));
  if (scopes.length === 0) return err(NO_SCOPES);
  if (!Number.isInteger(days) || days < 1 || days > KEY_DAYS_MAX) return err(BAD_DAYS);
  const reach = await findReach(deps, caller, fields.text("organizations"));
  if (!reach.ok) return reach;
  const bounds = { allowedIps: [], allowedReferrers: [], organizations: reach.value, expiresInDays: days };
  return ok({ ...bounds, name: fields.text("name").trim() || null, scopes });
}
