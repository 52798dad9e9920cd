/** The forms of a connection: convert between form fields and settings. */
import type { Refusal } from "../../base/problem.ts";
import { CLAIM_MEMBERS } from "../../flows/sso/connections/config-rules.ts";
import type { ConnectionSettings, SubmittedConfig } from "../../flows/sso/connections/connection-change.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import type { AttributeMapping } from "../../vocabulary/sso/identity-mapping.ts";
import type { OidcConfig } from "../../vocabulary/sso/oidc-config.ts";
import { CLAIM_SOURCES, TOKEN_AUTHS } from "../../vocabulary/sso/oidc-config.ts";
import type { SsoProtocol } from "../../vocabulary/sso/protocol-config.ts";
import type { FormState } from "../components/form.tsx";
import { type Fields, memberIn } from "../page.ts";
import { changedForm, refusedForm } from "../problem-messages.ts";
import { versionOf } from "../shared/displayed-version.ts";
import type { View } from "../view.tsx";
import {
  isMetadataForm,
  METADATA_FIELDS,
  METADATA_FILE,
  SAML_FIELDS,
  samlRules,
  samlSettingsIn,
  samlValuesOf,
} from "./saml-form.ts";

const REQUIRED_CLAIMS: readonly string[] = ["subject_from", "email_from"];
const METADATA_NAMES: Readonly<Record<string, string>> = {
  url: "metadata_url",
  xml: "metadata_xml",
  file: METADATA_FILE,
};

/** The fields of each form; the secret is never a value of a form that is displayed again. */
const FORM_FIELDS = {
  "save-values": ["name", "issuer", "client_id", "token_auth", "client_secret_expires_on"],
  "save-saml": SAML_FIELDS,
  "preview-metadata": METADATA_FIELDS,
  "apply-metadata": METADATA_FIELDS,
  "save-mapping": [
    ...CLAIM_MEMBERS,
    "claims_from",
    "attributes",
    "mfa_trust",
    "scopes",
    "extra_parameters",
    "clock_skew_seconds",
    "idp_initiated",
  ],
} as const;

export type ConnectionForm = keyof typeof FORM_FIELDS;

export function connectionFormIn(form: Fields): ConnectionForm | undefined {
  const step = form.text("step");
  return Object.hasOwn(FORM_FIELDS, step) ? (step as ConnectionForm) : undefined;
}

/** SAML reads an ID or address without an attribute from the NameID. */
export function isOptionalClaim(name: string, protocol: SsoProtocol): boolean {
  return protocol === "saml" || !REQUIRED_CLAIMS.includes(name);
}

/** The field values of a stored connection. */
export function valuesOfConnection(connection: SsoConnection): Record<string, string> {
  const { name, config, updatedAt } = connection;
  const { attributes, mfa_trust: trust } = config;
  return {
    version: versionOf(updatedAt),
    name,
    ...(connection.protocol === "oidc" ? openidValuesOf(connection.config) : samlValuesOf(connection.config)),
    ...Object.fromEntries(CLAIM_MEMBERS.map((field) => [field, config[field] ?? ""])),
    attributes: pairsText(attributes.map((each) => [each.name, each.from])),
    mfa_trust: typeof trust === "string" ? "" : trust.join("\n"),
    clock_skew_seconds: String(config.clock_skew_seconds),
    idp_initiated: config.idp_initiated === "restart" ? "yes" : "",
  };
}

function openidValuesOf(config: OidcConfig): Record<string, string> {
  return {
    issuer: config.issuer ?? "",
    client_id: config.client_id ?? "",
    token_auth: config.token_auth,
    client_secret_expires_on: config.client_secret_expires_on ?? "",
    claims_from: config.claims_from,
    scopes: config.scopes,
    extra_parameters: pairsText(Object.entries(config.extra_parameters)),
  };
}

/** The submitted field values. */
function valuesOfForm(step: ConnectionForm, form: Fields): Record<string, string> {
  const names = isMetadataForm(step) ? FORM_FIELDS[step] : ["version", ...FORM_FIELDS[step]];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

/** The settings of a submitted form. Empty text becomes null or the empty list; the flow validates the values. */
export function settingsIn(step: ConnectionForm, form: Fields): ConnectionSettings {
  if (step === "save-values") return valuesIn(form);
  return step === "save-saml" ? samlSettingsIn(form) : { config: mappingIn(form) };
}

function valuesIn(form: Fields): ConnectionSettings {
  const secret = form.text("client_secret").trim();
  const kept = form.has("clear_secret") ? null : undefined;
  return {
    name: form.text("name"),
    clientSecret: secret === "" ? kept : secret,
    config: {
      issuer: form.text("issuer").trim() || null,
      client_id: form.text("client_id").trim() || null,
      token_auth: memberIn(TOKEN_AUTHS, form.text("token_auth")),
      // A connection with a key pair has no such field.
      ...(form.has("client_secret_expires_on") && {
        client_secret_expires_on: form.text("client_secret_expires_on").trim() || null,
      }),
    },
  };
}

function mappingIn(form: Fields): SubmittedConfig {
  const claim = (name: string) => form.text(name).trim() || null;
  const trust = linesOf(form.text("mfa_trust"));
  return {
    ...Object.fromEntries(CLAIM_MEMBERS.map((name) => [name, claim(name)])),
    // The form of a connection by SAML has no such fields.
    ...(form.has("scopes") && openidMappingIn(form)),
    attributes: pairsIn(form.text("attributes")).map(([name, from]): AttributeMapping => ({ name, from })),
    mfa_trust: trust.length === 0 ? "never" : trust,
    clock_skew_seconds: numberIn(form.text("clock_skew_seconds")),
    idp_initiated: form.has("idp_initiated") ? "restart" : "off",
  };
}

function openidMappingIn(form: Fields): Pick<SubmittedConfig, "claims_from" | "scopes" | "extra_parameters"> {
  return {
    claims_from: memberIn(CLAIM_SOURCES, form.text("claims_from")),
    scopes: form.text("scopes").trim(),
    extra_parameters: Object.fromEntries(pairsIn(form.text("extra_parameters"))),
  };
}

/** Empty text is no number: the flow refuses the value. */
function numberIn(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Lines `name = value`. A line without `=` has an empty value, which the flow refuses for an attribute. */
function pairsIn(text: string): readonly (readonly [string, string])[] {
  return linesOf(text).map((line) => {
    const [name = "", ...value] = line.split("=");
    return [name.trim(), value.join("=").trim()];
  });
}

function pairsText(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name} = ${value}`).join("\n");
}

/** A refused form with the submitted values. `stored`: the connection now. */
export function refusedConnection(
  view: View,
  step: ConnectionForm,
  form: Fields,
  problem: Refusal,
  stored: SsoConnection,
): FormState {
  const refused = { ...problem, ...(problem.fields && { fields: problem.fields.map(namedAsOnPage) }) };
  const values = valuesOfForm(step, form);
  if (refused.code === "mfa_required") return { values };
  if (refused.reason === "changed_meanwhile") {
    const current = valuesOfConnection(stored);
    return changedForm(view, values, Object.fromEntries(FORM_FIELDS[step].map((name) => [name, current[name] ?? ""])));
  }
  const { claim, ...rules } = view.t.ssoConnections.rules;
  const texts = {
    ...rules,
    ...samlRules(view.t, refused),
    ...Object.fromEntries(CLAIM_MEMBERS.map((field) => [field, claim])),
  };
  return refusedForm(view, refused, values, { conflict: view.t.ssoConnections.unlinkText }, texts);
}

/** The endpoint of metadata has shorter names. */
function namedAsOnPage<Field extends { readonly field: string }>(flaw: Field): Field {
  return { ...flaw, field: METADATA_NAMES[flaw.field] ?? flaw.field };
}
