/** The actions of the page of a connection: its forms, the domains of the connection, the keys of the service. */
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { assignConnection } from "../../flows/organization-domains/manage.ts";
import type { ConnectionInput as ConnectionTarget } from "../../flows/sso/connections/audit-connection.ts";
import type { SsoSettingsDeps } from "../../flows/sso/connections/create.ts";
import {
  type ImportedMetadata,
  importMetadata,
  type MetadataImport,
} from "../../flows/sso/connections/import-metadata.ts";
import { readConnection } from "../../flows/sso/connections/read.ts";
import {
  addServiceKey,
  promoteServiceKey,
  removePreviousServiceKey,
} from "../../flows/sso/connections/service-keys.ts";
import { updateConnectionSettings } from "../../flows/sso/connections/update.ts";
import type { ResponsibleCaller } from "../../flows/steps/authorization/authorize-member.ts";
import type { LiftingDeps } from "../../flows/steps/authorization/lifted-requirement.ts";
import type { Reply } from "../../http/reply.ts";
import { actionsOf, resultText, type Submission } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { type Fields, textAt, uuidIn } from "../page.ts";
import { displayedVersionIn } from "../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type ConnectionForm, refusedConnection, settingsIn, valuesOfConnection } from "./connection-form.ts";
import { type ConnectionInput, connectionIdOf } from "./lifecycle-actions.ts";
import { connectionPath } from "./paths.ts";
import { isMetadataForm, metadataIn, submittedMetadata } from "./saml-form.ts";
import { mayManageSso, maySeeSso } from "./sso-access.ts";
import { startConnectionTest } from "./test-start.tsx";
import type { MetadataPreview } from "./view-model.ts";

/** What the page displays beside the stored connection. */
export interface ConnectionState {
  readonly state: FormState;
  /** The refused form. */
  readonly refused?: ConnectionForm;
  readonly preview?: MetadataPreview;
}

export interface ConnectionPageInput extends ConnectionInput {
  readonly deps: ConnectionInput["deps"] & SignedInUserDeps & Pick<Deps, "reads" | "state">;
  readonly display: (state: ConnectionState) => Promise<Reply>;
}

type Submitted = ConnectionPageInput & Submission;
type Managed = Submitted & { readonly caller: ResponsibleCaller };

const { action } = actionsOf<ConnectionPageInput, ConnectionState>();

function targetOf({ caller, client, ...input }: Managed): ConnectionTarget {
  return { caller, client, connectionId: connectionIdOf(input) };
}

/** The page with the form: the mapping has a section of its own. */
export function sectionOf(form: ConnectionForm | undefined): "mapping" | "overview" {
  return form === "save-mapping" ? "mapping" : "overview";
}

function saves(step: ConnectionForm, result: "imported" | "saved", text: (view: View) => string) {
  return action({
    step,
    may: mayManageSso,
    at: ({ call }) => connectionPath(uuidIn(call.params.id ?? ""), sectionOf(step)),
    run: (request: Managed) => saveConnectionForm(request.deps, targetOf(request), step, request.fields),
    done: [result, text],
    refused: (request, refusal) => refusedForm(request, step, refusal),
  });
}

export const saveValues = saves("save-values", "saved", ({ t }) => t.ssoConnections.saved);
export const saveSaml = saves("save-saml", "saved", ({ t }) => t.ssoConnections.saved);
export const saveMapping = saves("save-mapping", "saved", ({ t }) => t.ssoConnections.saved);
export const applyMetadata = saves("apply-metadata", "imported", ({ t }) => t.saml.imported);

/** Displays the changes of submitted metadata, which the next form applies. */
export const previewMetadata = action({
  step: "preview-metadata",
  may: mayManageSso,
  run: (request: Managed) => readMetadata(request.deps, targetOf(request), metadataIn(request.fields)),
  reply: ({ display, fields }, imported) => display(previewOf(imported, submittedMetadata(fields))),
  refused: (request, refusal) => refusedForm(request, "preview-metadata", refusal),
});

/** Continues at the identity provider. */
export const testConnection = action({
  step: "test",
  may: () => ok(undefined),
  run: () => ok(undefined),
  reply: ({ deps, call }) => startConnectionTest(deps, call, uuidIn(call.params.id ?? "")),
});

export const assignDomain = action({
  step: "assign",
  may: mayManageSso,
  run: (request: Managed) => assign(request, connectionIdOf(request)),
  done: ["assigned", ({ t }) => t.ssoConnections.assigned],
});

export const releaseDomain = action({
  step: "release",
  may: mayManageSso,
  run: (request: Managed) => assign(request, null),
  done: ["released", ({ t }) => t.ssoConnections.released],
});

export const createKey = action({
  step: "add-key",
  may: mayManageSso,
  run: (request: Managed) => addServiceKey(request.deps, targetOf(request)),
  done: ["keyAdded", ({ t }) => t.ssoConnections.keyAdded],
});

export const promoteNextKey = action({
  step: "promote-key",
  may: mayManageSso,
  run: (request: Managed) => promoteServiceKey(request.deps, targetOf(request)),
  done: ["keyPromoted", ({ t }) => t.ssoConnections.keyPromoted],
});

export const removePreviousKey = action({
  step: "remove-key",
  may: mayManageSso,
  run: (request: Managed) => removePreviousServiceKey(request.deps, targetOf(request)),
  done: ["keyRemoved", ({ t }) => t.ssoConnections.keyRemoved],
});

export const connectionActions = {
  ...{ saveValues, saveSaml, saveMapping, applyMetadata, previewMetadata, testConnection },
  ...{ assignDomain, releaseDomain, createKey, promoteNextKey, removePreviousKey },
};

function assign({ deps, caller, client, fields }: Managed, connectionId: string | null) {
  return assignConnection(deps, { caller, domainId: uuidIn(fields.text("domain")), client, connectionId });
}

/** Saves the values of a submitted form of a member, or of a set-up link. */
export async function saveConnectionForm(
  deps: SsoSettingsDeps & SessionDeps & LiftingDeps,
  input: ConnectionTarget,
  edited: ConnectionForm,
  form: Fields,
): Promise<Result<unknown, Refusal>> {
  const unlinkIdentities = form.has("unlink_identities");
  if (isMetadataForm(edited)) {
    const source = { ...metadataIn(form), entityId: undefined, apply: edited === "apply-metadata" };
    return await importMetadata(deps, { ...input, ...source, unlinkIdentities });
  }
  const change = { settings: settingsIn(edited, form), unlinkIdentities, displayed: displayedVersionIn(form) };
  return await updateConnectionSettings(deps, { ...input, ...change });
}

/** The changes of metadata, which the next form applies. */
export async function readMetadata(
  deps: SsoSettingsDeps & SessionDeps & LiftingDeps,
  input: ConnectionTarget,
  source: Pick<MetadataImport, "url" | "xml">,
): Promise<Result<ImportedMetadata, Refusal>> {
  return await importMetadata(deps, {
    ...input,
    ...source,
    entityId: undefined,
    unlinkIdentities: false,
    apply: false,
  });
}

/** `source`: the values of the form that applies the metadata. */
export function previewOf(
  { changes, leftOut, view: { connection } }: ImportedMetadata,
  source: Readonly<Record<string, string>>,
): ConnectionState {
  return { preview: { changes, leftOut }, state: { values: { ...valuesOfConnection(connection), ...source } } };
}

/** The form with the problems of its fields; undefined for every other problem. */
export async function refusedForm(
  { deps, call, fields, view }: Pick<Submitted, "call" | "deps" | "fields"> & { readonly view: View },
  step: ConnectionForm,
  refusal: Refusal,
): Promise<ConnectionState | undefined> {
  if (!["conflict", "invalid_input", "mfa_required"].includes(refusal.code)) return undefined;
  const caller = await maySeeSso({ deps, call });
  const found = caller.ok
    ? await readConnection(deps, { caller: caller.value, connectionId: connectionIdOf({ call }) })
    : err(refusal);
  if (!found.ok || (isMetadataForm(step) && found.value.connection.protocol !== "saml")) return undefined;
  return { state: refusedConnection(view, step, fields, refusal, found.value.connection), refused: step };
}

/** The text of a result that the page of the connection displays. */
export function connectionResult(view: View, result: string): string | undefined {
  return resultText(view, connectionActions, result) ?? textAt({ created: view.t.ssoConnections.created }, result);
}
