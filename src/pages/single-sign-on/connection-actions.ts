/** The actions of the page of a connection. */
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SessionDeps } from "../../deps.ts";
import { assignConnection } from "../../flows/organization-domains/manage.ts";
import type { ConnectionInput } from "../../flows/sso/connections/audit-connection.ts";
import type { SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import type { DeleteConnectionDeps } from "../../flows/sso/connections/delete.ts";
import { importMetadata } from "../../flows/sso/connections/import-metadata.ts";
import {
  addServiceKey,
  promoteServiceKey,
  removePreviousServiceKey,
} from "../../flows/sso/connections/service-keys.ts";
import { updateConnectionSettings } from "../../flows/sso/connections/update.ts";
import type { MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import type { LiftingDeps } from "../../flows/steps/authorization/lifted-requirement.ts";
import { type AuthenticatedCall, type Fields, NOTHING_THERE, textAt, uuidIn } from "../page.ts";
import { displayedVersionIn } from "../shared/displayed-version.ts";
import type { View } from "../view.tsx";
import { type ConnectionForm, connectionFormIn, settingsIn } from "./connection-form.ts";
import { isMetadataForm, metadataIn } from "./saml-form.ts";

export type ChangeConnectionDeps = DeleteConnectionDeps & SsoSettingsDeps;

/** Executes the action of the pressed button; returns the result to display. */
export async function changeConnection(
  deps: ChangeConnectionDeps,
  { form, client }: Pick<AuthenticatedCall, "form" | "client">,
  caller: MemberCaller,
  connectionId: string,
): Promise<Result<string, Refusal>> {
  const input = { caller, connectionId, client };
  const edited = connectionFormIn(form);
  if (edited) return await saveConnectionForm(deps, input, edited, form);
  const domainId = uuidIn(form.text("domain"));
  switch (form.text("step")) {
    case "assign":
      return resultNamed("assigned", await assignConnection(deps, { caller, domainId, client, connectionId }));
    case "release":
      return resultNamed("released", await assignConnection(deps, { caller, domainId, client, connectionId: null }));
    case "add-key":
      return resultNamed("keyAdded", await addServiceKey(deps, input));
    case "promote-key":
      return resultNamed("keyPromoted", await promoteServiceKey(deps, input));
    case "remove-key":
      return resultNamed("keyRemoved", await removePreviousServiceKey(deps, input));
    default:
      return err(NOTHING_THERE);
  }
}

/** Saves the values of a submitted form; returns the result to display. */
export async function saveConnectionForm(
  deps: SsoSettingsDeps & SessionDeps & LiftingDeps,
  input: ConnectionInput,
  edited: ConnectionForm,
  form: Fields,
): Promise<Result<string, Refusal>> {
  const unlinkIdentities = form.has("unlink_identities");
  if (isMetadataForm(edited)) {
    const source = { ...metadataIn(form), entityId: undefined, apply: edited === "apply-metadata" };
    return resultNamed("imported", await importMetadata(deps, { ...input, ...source, unlinkIdentities }));
  }
  const change = { settings: settingsIn(edited, form), unlinkIdentities, displayed: displayedVersionIn(form) };
  return resultNamed("saved", await updateConnectionSettings(deps, { ...input, ...change }));
}

function resultNamed(name: string, outcome: Result<unknown, Refusal>): Result<string, Refusal> {
  return outcome.ok ? ok(name) : outcome;
}

/** The text of a result that the page of the connection displays. */
export function connectionResultOf({ t: { saml, ssoConnections: t } }: View, result: string): string | undefined {
  const { created, saved, assigned, released, keyAdded, keyPromoted, keyRemoved } = t;
  const ofKeys = { keyAdded, keyPromoted, keyRemoved };
  const texts = { created, saved, assigned, released, ...ofKeys, imported: saml.imported };
  return textAt(texts, result);
}
