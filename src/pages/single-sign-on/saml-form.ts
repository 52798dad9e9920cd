/** The forms of a connection by SAML: convert between form fields and settings. */
import type { Refusal } from "../../base/problem.ts";
import type { ConnectionSettings } from "../../flows/sso/connections/connection-change.ts";
import { SAML_METADATA_MAX_BYTES } from "../../limits/saml-limits.ts";
import type { SamlConfig } from "../../vocabulary/sso/saml-config.ts";
import { REQUEST_BINDINGS, SIGNED_ELEMENTS } from "../../vocabulary/sso/saml-config.ts";
import { type Fields, memberIn } from "../page.ts";
import type { Texts } from "../texts/catalogue.ts";

/** The fields of the settings, and of the import of metadata. */
export const SAML_FIELDS = [
  "name",
  "entity_id",
  "sso_url",
  "slo_url",
  "certificates",
  "request_binding",
  "signed_element",
  "name_id_format",
  "sign_requests",
  "encrypted_assertions",
  "enforce_certificate_expiry",
] as const;
export const METADATA_FIELDS = ["metadata_url", "metadata_xml"] as const;
/** The part of the form with a file, which has an address of its own. */
export const METADATA_FILE = "metadata_file";
export const METADATA_UPLOAD = { part: "file", maxBytes: SAML_METADATA_MAX_BYTES };

/** The forms with the fields of metadata. */
export type MetadataForm = "preview-metadata" | "apply-metadata";

export function isMetadataForm(step: string | undefined): step is MetadataForm {
  return step === "preview-metadata" || step === "apply-metadata";
}

/** The field values of stored settings. */
export function samlValuesOf(config: SamlConfig): Record<string, string> {
  const tick = (isOn: boolean) => (isOn ? "yes" : "");
  return {
    entity_id: config.entity_id ?? "",
    sso_url: config.sso_url ?? "",
    slo_url: config.slo_url ?? "",
    certificates: config.certificates.join(""),
    request_binding: config.request_binding,
    signed_element: config.signed_element,
    name_id_format: config.name_id_format ?? "",
    sign_requests: tick(config.sign_requests),
    encrypted_assertions: tick(config.encrypted_assertions === "required"),
    enforce_certificate_expiry: tick(config.enforce_certificate_expiry),
    metadata_url: config.metadata_url ?? "",
    metadata_xml: "",
  };
}

/** The settings of a submitted form; the flow validates the values. */
export function samlSettingsIn(form: Fields): ConnectionSettings {
  const text = (name: string) => form.text(name).trim() || null;
  return {
    name: form.text("name"),
    config: {
      entity_id: text("entity_id"),
      sso_url: text("sso_url"),
      slo_url: text("slo_url"),
      certificates: certificatesIn(form.text("certificates")),
      request_binding: memberIn(REQUEST_BINDINGS, form.text("request_binding")),
      signed_element: memberIn(SIGNED_ELEMENTS, form.text("signed_element")),
      name_id_format: text("name_id_format"),
      sign_requests: form.has("sign_requests"),
      encrypted_assertions: form.has("encrypted_assertions") ? "required" : "off",
      enforce_certificate_expiry: form.has("enforce_certificate_expiry"),
    },
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Several certificates in PEM form; other text is one value, which the flow refuses or reads as Base64. */
function certificatesIn(text: string): readonly string[] {
  const found = text.match(CERTIFICATE);
  if (found && text.replace(CERTIFICATE, "").trim() === "") return found;
  return text.trim() === "" ? [] : [text.trim()];
}

/** The submitted source of metadata: the address, else the text. */
export function metadataIn(form: Fields): { readonly url: string | undefined; readonly xml: string | undefined } {
  const url = form.text("metadata_url").trim();
  const xml = form.text("metadata_xml").trim();
  return url === "" ? { url: undefined, xml } : { url, xml: undefined };
}

/** The submitted fields, for the form that applies the metadata. */
export function submittedMetadata(form: Fields): Record<string, string> {
  return Object.fromEntries(METADATA_FIELDS.map((name) => [name, form.text(name)]));
}

/** The texts of broken rules, by field. */
export function samlRules({ saml: { rules } }: Texts, { fields = [] }: Refusal): Readonly<Record<string, string>> {
  const { url, metadata, metadataTooLong, fileTooLong, ...texts } = rules;
  const isTooLong = fields.some(({ rule }) => rule === "too_long");
  const ofMetadata = isTooLong ? metadataTooLong : metadata;
  const ofFile = isTooLong ? fileTooLong : metadata;
  const ofAddresses = { sso_url: url, slo_url: url, metadata_url: ofMetadata };
  return { ...texts, ...ofAddresses, metadata_xml: ofMetadata, [METADATA_FILE]: ofFile };
}

/** The flaws of metadata beside the field of the file. */
export function ofFile<Problem extends Refusal>(refused: Problem): Problem {
  if (refused.bound === "body_size") return { ...refused, fields: [{ field: "file", rule: "too_long" }] };
  if (!refused.fields) return refused;
  return { ...refused, fields: refused.fields.map((flaw) => ({ ...flaw, field: "file" })) };
}

/** The text of a file; another encoding than UTF-8 is refused as XML that cannot be read. */
export function metadataInFile(file: Uint8Array): { readonly url: undefined; readonly xml: string } {
  return { url: undefined, xml: new TextDecoder().decode(file) };
}
