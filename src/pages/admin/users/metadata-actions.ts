/** The action of the section with the metadata of a user. */
import { type FieldFlaw, hasFlaws, invalidFields } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { readAdministeredUser } from "../../../flows/users/administer.ts";
import { metadataVersion, replaceMetadata } from "../../../flows/users/replace-metadata.ts";
import { parseObject } from "../../../http/input/json-body.ts";
import type { JsonObject } from "../../../models/conditions/stored-metadata.ts";
import type { AdministeredUser } from "../../../models/user/administered-user.ts";
import { actionsOf } from "../../action.ts";
import type { Fields } from "../../fields.ts";
import { changedForm, refusedForm } from "../../problem-messages.ts";
import { platformCaller } from "../console-actions.tsx";
import { userPath } from "./sections.tsx";
import { higherRole, type UserInput } from "./user-actions.ts";

/** The fields of the form. `version`: hidden, of the displayed values. */
export const METADATA_FIELDS = ["external_id", "public_metadata", "private_metadata", "version"] as const;
type Values = Readonly<Record<(typeof METADATA_FIELDS)[number], string>>;

const INDENT = 2;

/** The values of the form; an object without members is an empty text. */
export function storedValues(user: AdministeredUser): Values {
  return {
    external_id: user.externalId ?? "",
    public_metadata: jsonText(user.publicMetadata),
    private_metadata: jsonText(user.privateMetadata),
    version: metadataVersion(user),
  };
}

function jsonText(metadata: JsonObject = {}): string {
  return Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata, null, INDENT);
}

const { action } = actionsOf<UserInput>();

export const saveMetadata = action({
  step: "save-metadata",
  may: platformCaller,
  at: ({ target }) => userPath(target.userId, "metadata"),
  async run({ deps, caller, client, fields, target: { userId } }) {
    const values = replacedValues(fields);
    if (!values.ok) return values;
    const input = { caller, userId, client, values: values.value, version: fields.text("version") };
    return await replaceMetadata(deps, input);
  },
  done: ["metadata-saved", ({ t }) => t.directory.metadataSaved],
  problems: higherRole,
  async refused({ deps, call, fields, target, view }, refusal) {
    const { badExternalId, badMetadata, externalIdTaken } = view.t.directory;
    const values = Object.fromEntries(METADATA_FIELDS.map((name) => [name, fields.text(name)]));
    if (refusal.code === "invalid_input") {
      const texts = { external_id: badExternalId, public_metadata: badMetadata, private_metadata: badMetadata };
      return refusedForm(view, refusal, values, {}, texts);
    }
    if (refusal.reason === "external_id_taken") return { values, errors: { external_id: externalIdTaken } };
    if (refusal.reason !== "changed_meanwhile") return undefined;
    const found = await readAdministeredUser(deps, call.admin, target.userId);
    if (!found.ok) return undefined;
    const { version: _, ...stored } = storedValues(found.value);
    return changedForm(view, values, stored);
  },
});

/** The values of the submitted texts; names every text that is no JSON object (docs/contract.md, section 2.2). */
function replacedValues(fields: Fields): Result<Parameters<typeof replaceMetadata>[1]["values"], Refusal> {
  const [publicMetadata, privateMetadata] = [objectIn(fields, "public_metadata"), objectIn(fields, "private_metadata")];
  const flaws = [publicMetadata, privateMetadata].flatMap((each) => (each.ok ? [] : [each.error]));
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  if (!publicMetadata.ok || !privateMetadata.ok) throw new Error("a flaw was not listed");
  return ok({
    externalId: fields.text("external_id").trim() || null,
    publicMetadata: publicMetadata.value,
    privateMetadata: privateMetadata.value,
  });
}

function objectIn(fields: Fields, field: string): Result<JsonObject, FieldFlaw> {
  const text = fields.text(field).trim();
  if (text === "") return ok({});
  const parsed = parseObject(text);
  return parsed.ok ? parsed : err({ field, rule: "format", text: "must be a JSON object" });
}
