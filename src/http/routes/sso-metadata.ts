import { ok } from "../../base/result.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { importMetadata } from "../../flows/sso/connections/import-metadata.ts";
import { serviceMetadata } from "../../flows/sso/sign-in/service-metadata.ts";
import { authorizeSsoManager } from "../../flows/steps/authorization/authorize-sso.ts";
import type { LiftingDeps } from "../../flows/steps/authorization/lifted-requirement.ts";
import { SAML_METADATA_BODY_MAX_BYTES } from "../../limits/saml-limits.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply, textReply } from "../reply.ts";
import { ImportMetadataBody, MetadataPreview } from "../schemas/sso-metadata.ts";
import { metadataImportBody } from "../sso/sso-bodies.ts";

export type SsoMetadataDeps = SessionDeps &
  LiftingDeps &
  Pick<Deps, "configKeys" | "fetchIdpMetadata" | "samlPool" | "serviceCertificates" | "ssoDirectory">;

const tag = "Single sign-on";
const METADATA_TYPE = "application/samlmetadata+xml";
const CACHED_FOR_AN_HOUR = { "cache-control": "public, max-age=3600" };

/** docs/contract.md, sections 29.31 and 29.33. */
export function ssoMetadataRoutes(deps: SsoMetadataDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/sso/connections/:id/metadata",
      operationId: "importSsoMetadata",
      docs: { clientMethod: "sso.connections.importMetadata", section: "29.33" },
      stepUp: "grants_power",
      tag,
      summary: "Preview or apply metadata of an identity provider",
      description: "For connections by SAML 2.0. Without `apply` nothing changes.",
      auth: "administrative",
      permission: "sso.manage",
      input: { body: ImportMetadataBody, bodyMaxBytes: SAML_METADATA_BODY_MAX_BYTES },
      responses: { 200: { description: "The changes", schema: MetadataPreview } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: (caller, { org_id: id }) => authorizeSsoManager(deps, caller, id),
      async handle({ authorized: caller, params, body, client }) {
        const { url, xml, entity_id: entityId, apply = false, unlink_identities: unlinkIdentities = false } = body;
        const input = { caller, connectionId: params.id, client, url, xml, entityId, apply, unlinkIdentities };
        const imported = await importMetadata(deps, input);
        return imported.ok ? ok(reply(200, metadataImportBody(deps, imported.value))) : imported;
      },
    }),
    endpoint({
      method: "GET",
      path: "/auth/sso/:connection_id/metadata",
      operationId: "getSsoServiceMetadata",
      docs: { clientMethod: null, section: "29.31" },
      tag,
      summary: "Get the metadata of the service for a connection by SAML 2.0",
      auth: "none",
      responses: {
        200: { description: "Metadata of SAML 2.0", contentType: METADATA_TYPE, example: "<md:EntityDescriptor …/>" },
      },
      problems: ["not_found"],
      async handle({ params }) {
        const metadata = await serviceMetadata(deps, params.connection_id);
        return metadata.ok
          ? ok(textReply(200, METADATA_TYPE, metadata.value, { headers: CACHED_FOR_AN_HOUR }))
          : metadata;
      },
    }),
  ];
}
