/** The form of the console with the metadata and the external id of a user (docs/pages.md). */
import { createHash } from "node:crypto";
import { hasFlaws, invalidFields } from "../../base/invalid-input.ts";
import { changedMeanwhile, type Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionDeps } from "../../deps.ts";
import type { AccountValues, AdministeredUser } from "../../models/user/administered-user.ts";
import { validateFields } from "./account-fields.ts";
import type { AdministerUser } from "./administer.ts";
import { type ChangeProblem, changeUnderLock } from "./change-account.ts";

type ReplacedValues = Pick<AccountValues, "externalId" | "publicMetadata" | "privateMetadata">;

const CHANGED = changedMeanwhile("The metadata have changed since they were displayed.");

/** Identifies the values that a form displayed. */
export function metadataVersion({ externalId, publicMetadata, privateMetadata }: Partial<AdministeredUser>): string {
  const displayed = JSON.stringify([externalId ?? null, publicMetadata ?? {}, privateMetadata ?? {}]);
  return createHash("sha256").update(displayed).digest("base64url");
}

/**
 * Replaces the values: members that the form omits are deleted. `version`: of the displayed values; `conflict` with the
 * reason `changed_meanwhile` if a second administrator or a program has changed the values in the meantime.
 */
export async function replaceMetadata(
  deps: SessionDeps,
  input: AdministerUser & { readonly values: ReplacedValues; readonly version: string },
): Promise<Result<AdministeredUser, Refusal<ChangeProblem>>> {
  const { fields, flaws } = validateFields(input.values, deps.clock.now());
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const { externalId, publicMetadata, privateMetadata } = fields;
  return await changeUnderLock(deps, input, undefined, async (before) =>
    metadataVersion(before) === input.version
      ? ok({ values: { externalId, publicMetadata, privateMetadata } })
      : err(CHANGED),
  );
}
