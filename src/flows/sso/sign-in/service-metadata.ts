import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { ServiceKey } from "../../../models/sso-connection/service-key.ts";
import { serviceMetadataXml } from "../../../providers/saml/service-metadata.ts";
import { NO_SUCH_CONNECTION } from "../connections/read.ts";
import { connectionUrls } from "../connections/urls.ts";
import { signerOf } from "./saml-party.ts";

type MetadataDeps = Pick<Deps, "config" | "configKeys" | "serviceCertificates" | "ssoDirectory">;

/** An identity provider verifies by the current key, and learns the next key before its first use. */
const PUBLISHED: readonly ServiceKey["status"][] = ["current", "next"];

/** GET /v1/auth/sso/:connection_id/metadata (docs/contract.md, section 29.31), also of a draft, from memory. */
export async function serviceMetadata(
  deps: MetadataDeps,
  connectionId: string,
): Promise<Result<string, Refusal<"not_found">>> {
  const connection = deps.ssoDirectory.find(connectionId);
  if (connection?.protocol !== "saml") return err(NO_SUCH_CONNECTION);
  const { spEntityId, acsUrl, sloUrl } = connectionUrls(deps, connectionId);
  const { config, serviceKeys } = connection;
  const keys = PUBLISHED.flatMap((status) => serviceKeys.find((key) => key.status === status) ?? []);
  const certificates = await Promise.all(keys.map((key) => certificateOf(deps, key, spEntityId)));
  return ok(
    serviceMetadataXml({
      spEntityId,
      acsUrl,
      sloUrl,
      signsRequests: config.sign_requests,
      wantsSignedAssertions: config.signed_element === "assertion",
      certificates: certificates.flatMap((certificate) => certificate ?? []),
      nameIdFormat: config.name_id_format,
    }),
  );
}

/** Undefined when no configured key opens the private key. */
async function certificateOf(deps: MetadataDeps, key: ServiceKey, commonName: string): Promise<string | undefined> {
  const signer = signerOf(deps, key);
  const { publicJwk, createdAt } = key;
  return signer && (await deps.serviceCertificates.find(key.id, { publicJwk, commonName, createdAt }, signer));
}
