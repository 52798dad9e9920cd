import { type TSchema, Type } from "@sinclair/typebox";
import {
  SAML_CERTIFICATE_MAX_CHARACTERS,
  SAML_CERTIFICATES_MAX,
  SAML_METADATA_MAX_BYTES,
} from "../../limits/saml-limits.ts";
import {
  SSO_ATTRIBUTE_NAME_MAX_CHARACTERS,
  SSO_ATTRIBUTES_MAX,
  SSO_CLAIM_NAME_MAX_CHARACTERS,
  SSO_CLIENT_ID_MAX_CHARACTERS,
  SSO_CLIENT_SECRET_MAX_BYTES,
  SSO_CLOCK_SKEW_MAX_SECONDS,
  SSO_ENTITY_ID_MAX_CHARACTERS,
  SSO_EXTRA_PARAMETERS_MAX,
  SSO_ID_JAG_CLIENTS_MAX,
  SSO_ISSUER_MAX_CHARACTERS,
  SSO_MFA_TRUST_MAX,
  SSO_SCOPES_MAX_CHARACTERS,
  SSO_URL_MAX_CHARACTERS,
} from "../../limits/sso-limits.ts";
import { CONNECTION_STATUSES } from "../../models/sso-connection/sso-connection.ts";
import { IDP_INITIATED_MODES } from "../../vocabulary/sso/identity-mapping.ts";
import { CLAIM_SOURCES, TOKEN_AUTHS } from "../../vocabulary/sso/oidc-config.ts";
import { PRESET_KEYS } from "../../vocabulary/sso/preset.ts";
import { SSO_PROTOCOLS } from "../../vocabulary/sso/protocol-config.ts";
import { ENCRYPTION_MODES, REQUEST_BINDINGS, SIGNED_ELEMENTS } from "../../vocabulary/sso/saml-config.ts";
import { name, nullable, oneOf, PageQuery, Timestamp, text, Uuid, url } from "./common.ts";
import { MetadataReportItem } from "./sso-metadata-report.ts";

export const ConnectionsQuery = Type.Object({ ...PageQuery.properties });

/** The rules are in the model: `documented` bounds only describe the rules. */
function claim(example: string, description: string) {
  return Type.String({
    documented: { minLength: 1, maxLength: SSO_CLAIM_NAME_MAX_CHARACTERS },
    description: `${description}; compared exactly`,
    examples: [example],
  });
}

function listOr<const Word extends string>(word: Word, maxItems: number, description: string, example: string) {
  const list = Type.Array(Type.String(), { documented: { minItems: 1, maxItems }, examples: [[example]] });
  return Type.Union([Type.Literal(word), list], { description });
}

const AttributeMappingItem = Type.Object(
  {
    name: Type.String({
      documented: { minLength: 1, maxLength: SSO_ATTRIBUTE_NAME_MAX_CHARACTERS },
      description: "name of the attribute of the membership",
      examples: ["department"],
    }),
    from: claim("department", "claim with the value"),
  },
  { $id: "SsoAttributeMapping" },
);

/** The settings of OpenID Connect, as submitted and as returned. */
const oidcSettings = {
  issuer: nullable(
    Type.String({
      documented: { format: "uri", maxLength: SSO_ISSUER_MAX_CHARACTERS },
      examples: ["https://login.microsoftonline.com/8c4cbd21-5d0f-4d3c-9d0a-6a3f0a2b1c3d/v2.0"],
    }),
    { description: "exact issuer of the identity provider; null in a draft" },
  ),
  client_id: nullable(
    Type.String({
      documented: { minLength: 1, maxLength: SSO_CLIENT_ID_MAX_CHARACTERS },
      examples: ["7f3a1c52-9c1e-4a43-8d0f-2f6c1a9b7e10"],
    }),
    { description: "null in a draft" },
  ),
  token_auth: oneOf(TOKEN_AUTHS, { description: "authentication of the service at the token endpoint" }),
  client_secret_expires_on: nullable(Type.String({ documented: { format: "date" }, examples: ["2027-06-30"] }), {
    description: "the day on which the client secret expires; owners receive warnings",
  }),
  scopes: Type.String({
    documented: { maxLength: SSO_SCOPES_MAX_CHARACTERS },
    description: "separated by spaces; with openid",
    examples: ["openid profile email"],
  }),
  claims_from: oneOf(CLAIM_SOURCES, { description: "source of the claims beside the subject" }),
  extra_parameters: Type.Record(Type.String(), Type.String(), {
    documented: { maxProperties: SSO_EXTRA_PARAMETERS_MAX },
    description: "further parameters of the authorization request, except those of the protocol",
    examples: [{ domain_hint: "acme.com" }],
  }),
  id_jag: listOr("off", SSO_ID_JAG_CLIENTS_MAX, "client ids whose identity assertion grants are accepted", "agent"),
};

/** The settings of both protocols. */
const mappingSettings = {
  subject_from: nullable(claim("sub", "claim or attribute with the permanent id of the user"), {
    description: "null, with SAML only: the NameID",
  }),
  email_from: nullable(claim("email", "claim or attribute with the email address"), {
    description: "null, with SAML only: the NameID",
  }),
  first_name_from: nullable(claim("given_name", "claim with the first name")),
  last_name_from: nullable(claim("family_name", "claim with the last name")),
  display_name_from: nullable(claim("name", "claim with the full name")),
  groups_from: nullable(claim("groups", "claim with the groups")),
  attributes: Type.Array(AttributeMappingItem, { documented: { maxItems: SSO_ATTRIBUTES_MAX }, examples: [[]] }),
  mfa_trust: listOr(
    "never",
    SSO_MFA_TRUST_MAX,
    "values of `acr` or `amr`, or classes of authentication, that give `aal2`",
    "mfa",
  ),
  clock_skew_seconds: Type.Integer({
    documented: { minimum: 0, maximum: SSO_CLOCK_SKEW_MAX_SECONDS },
    description: "accepted difference of the clocks",
    examples: [60],
  }),
  idp_initiated: oneOf(IDP_INITIATED_MODES, {
    description: "`restart`: a start at the identity provider begins a sign-in of this service",
  }),
};

const samlUrl = (example: string) =>
  Type.String({ documented: { format: "uri", maxLength: SSO_URL_MAX_CHARACTERS }, examples: [example] });

const Certificate = Type.String({
  documented: { maxLength: SAML_CERTIFICATE_MAX_CHARACTERS },
  description: "X.509 in PEM form, or its Base64",
  examples: ["-----BEGIN CERTIFICATE-----\nMIIC...\n-----END CERTIFICATE-----\n"],
});

/** The settings of SAML 2.0, as submitted and as returned. */
const samlSettings = {
  entity_id: nullable(
    Type.String({
      documented: { maxLength: SSO_ENTITY_ID_MAX_CHARACTERS },
      examples: ["https://sts.windows.net/8c4cbd21-5d0f-4d3c-9d0a-6a3f0a2b1c3d/"],
    }),
    { description: "entity id of the identity provider; null in a draft" },
  ),
  sso_url: nullable(samlUrl("https://login.microsoftonline.com/8c4cbd21-5d0f-4d3c-9d0a-6a3f0a2b1c3d/saml2"), {
    description: "single sign-on service of the identity provider; null in a draft",
  }),
  slo_url: nullable(samlUrl("https://login.microsoftonline.com/8c4cbd21-5d0f-4d3c-9d0a-6a3f0a2b1c3d/saml2"), {
    description: "single logout service of the identity provider",
  }),
  certificates: Type.Array(Certificate, {
    documented: { maxItems: SAML_CERTIFICATES_MAX },
    description: "a signature by any of the certificates counts",
    examples: [[]],
  }),
  request_binding: oneOf(REQUEST_BINDINGS, { description: "binding of requests" }),
  metadata_url: nullable(samlUrl("https://login.microsoftonline.com/8c4cbd21/federationmetadata.xml"), {
    description: "metadata of the identity provider, loaded when the member changes",
  }),
  signed_element: oneOf(SIGNED_ELEMENTS, { description: "`either`: a signature of the whole response counts too" }),
  sign_requests: Type.Boolean({ description: "needs SERVICE_CONFIG_KEY", examples: [true] }),
  name_id_format: nullable(samlUrl("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"), {
    description: "requested format of the NameID; null: a request names no format",
  }),
  encrypted_assertions: oneOf(ENCRYPTION_MODES),
  enforce_certificate_expiry: Type.Boolean({
    description: "an expired certificate no longer counts",
    examples: [false],
  }),
};

const optionalSettings = Type.Partial(Type.Object({ ...oidcSettings, ...samlSettings, ...mappingSettings })).properties;

/** Members of one protocol are absent from a connection by the other protocol. */
const returnedSettings = {
  ...Type.Partial(Type.Object({ ...oidcSettings, ...samlSettings })).properties,
  ...mappingSettings,
};

const metadataXml = Type.Optional(
  Type.String({
    documented: { maxLength: SAML_METADATA_MAX_BYTES },
    description: "with the protocol `saml`: metadata of the identity provider; submitted settings win",
    examples: ["<EntityDescriptor …/>"],
  }),
);

const connectionName = name("Acme Entra ID", "displayed on pages");
const clientSecret = Type.Optional(
  nullable(
    Type.String({
      documented: { minLength: 1, maxLength: SSO_CLIENT_SECRET_MAX_BYTES },
      examples: ["wJalrXUtnFEMI7MDENGbPxRfiCY"],
    }),
    { description: "never returned; null deletes the secret" },
  ),
);

export const CreateConnectionBody = Type.Object(
  {
    protocol: Type.Optional(oneOf(SSO_PROTOCOLS, { default: "oidc" })),
    name: connectionName,
    preset: Type.Optional(oneOf(PRESET_KEYS, { default: "custom", description: "fills in names of claims" })),
    client_secret: clientSecret,
    metadata_xml: metadataXml,
    ...optionalSettings,
  },
  { $id: "CreateSsoConnectionRequest" },
);

export const UpdateConnectionBody = Type.Object(
  {
    name: Type.Optional(connectionName),
    preset: Type.Optional(oneOf(PRESET_KEYS)),
    client_secret: clientSecret,
    metadata_xml: metadataXml,
    ...optionalSettings,
    unlink_identities: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "permits a change of `issuer`, `entity_id` or `subject_from`, and unlinks all users of the connection",
        examples: [false],
      }),
    ),
  },
  { $id: "UpdateSsoConnectionRequest" },
);

const ServiceKeyItem = Type.Object(
  {
    kid: text("n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"),
    status: oneOf(["next", "current", "previous"]),
    created_at: Timestamp,
  },
  { $id: "SsoServiceKey" },
);

const CONNECTION_URL = "https://id.example.com/v1/auth/sso/0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";

/** Present for connections by one protocol. */
const ofProtocol = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

const CertificateDetails = Type.Object(
  { sha256: text("3f1b…", "of the DER form, in hexadecimal"), not_after: Timestamp },
  { $id: "SsoCertificate" },
);

export const ConnectionItem = Type.Object(
  {
    id: Uuid,
    organization_id: Uuid,
    protocol: oneOf(SSO_PROTOCOLS, { $id: "SsoProtocol" }),
    name: text("Acme Entra ID"),
    preset: oneOf(PRESET_KEYS, { $id: "SsoPreset" }),
    status: oneOf(CONNECTION_STATUSES, { $id: "SsoConnectionStatus" }),
    ...returnedSettings,
    secret_set: Type.Boolean({ description: "whether a client secret is stored", examples: [true] }),
    redirect_uri: ofProtocol(url(`${CONNECTION_URL}/callback`, "OIDC: for the registration at the identity provider")),
    acs_url: ofProtocol(url(`${CONNECTION_URL}/acs`, "SAML: the assertion consumer service")),
    sp_slo_url: ofProtocol(url(`${CONNECTION_URL}/slo`, "SAML: the single logout service of the service")),
    sp_entity_id: ofProtocol(url(`${CONNECTION_URL}/metadata`, "SAML: entity id and metadata of the service")),
    initiate_login_uri: url(`${CONNECTION_URL}/start`, "start of a sign-in, for tiles of the identity provider"),
    backchannel_logout_uri: ofProtocol(url(`${CONNECTION_URL}/backchannel-logout`, "OIDC: receives logout tokens")),
    jwks_uri: ofProtocol(url(`${CONNECTION_URL}/jwks`, "OIDC: public keys of the service for `private_key_jwt`")),
    certificate_details: ofProtocol(
      Type.Array(CertificateDetails, { description: "SAML: of `certificates`, in their order", examples: [[]] }),
    ),
    metadata_report: ofProtocol(
      nullable(MetadataReportItem, { description: "SAML: the last reading of the metadata; null: none" }),
    ),
    service_keys: Type.Array(ServiceKeyItem, { examples: [[]] }),
    tested_at: nullable(Timestamp, {
      description: "the last successful test since the last change that concerns security",
    }),
    last_test_at: nullable(Timestamp),
    last_success_at: nullable(Timestamp, { description: "the last successful sign-in" }),
    activated_by: nullable(Uuid, { description: "the user whose role bounds links by domain" }),
    created_by: nullable(Uuid, { description: "null after the deletion of the user" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "SsoConnection" },
);

export const ServiceKeysDocument = Type.Object(
  {
    keys: Type.Array(Type.Record(Type.String(), Type.String()), {
      examples: [[{ kty: "RSA", kid: "n4bQgYhM", alg: "RS256", use: "sig", e: "AQAB", n: "0vx7agoebGc" }]],
    }),
  },
  { $id: "SsoServiceKeys", description: "JWK Set (RFC 7517)" },
);
