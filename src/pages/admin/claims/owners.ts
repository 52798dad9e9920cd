/** Claims of applications and of APIs, by the flows of the endpoints. */
import { ok } from "../../../base/result.ts";
import { changeDisplayedClient, readClient } from "../../../flows/oauth/clients/administer-clients.ts";
import { identityOf } from "../../../flows/oauth/clients/client-identity.ts";
import { previewApiClaims, previewApplicationClaims } from "../../../flows/oauth/preview/preview-claims.ts";
import { changeDisplayedResource, readResource } from "../../../flows/oauth/resources/administer-resources.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { changeOf } from "../../../http/oauth/oauth-client-settings.ts";
import { resourceChangeOf } from "../../../http/oauth/oauth-resource-settings.ts";
import { ChangeOAuthClient } from "../../../http/schemas/oauth-clients.ts";
import { ChangeOAuthResource } from "../../../http/schemas/oauth-resources.ts";
import { applicationName } from "../../components/application.tsx";
import { CLIENTS } from "../oauth-clients/paths.ts";
import { RESOURCES } from "../resources/paths.ts";
import type { ClaimsOwner } from "./owner.ts";

const validateClientChange = bodyValidator(ChangeOAuthClient);
const validateResourceChange = bodyValidator(ChangeOAuthResource);

export const APPLICATION_CLAIMS: ClaimsOwner = {
  kind: "application",
  list: CLIENTS,
  pages: {
    claims: { path: "/admin/oauth-clients/:id/claims" },
    edit: { path: "/admin/oauth-clients/:id/claims/edit" },
    confirm: { path: "/admin/oauth-clients/:id/claims/confirm" },
  },
  async read(deps, { admin, params, view }) {
    const found = await readClient(deps, admin, params.id ?? "");
    if (!found.ok) return found;
    const { id, claimMappings: mappings, scopes, updatedAt, kind } = found.value;
    const name = applicationName(view, identityOf(found.value));
    const mayHaveMappings = kind === "registered";
    return ok({ owner: APPLICATION_CLAIMS, id, name, mappings, scopes, updatedAt, mayHaveMappings });
  },
  async save(deps, { mappings, displayed, ...by }) {
    const valid = validateClientChange({ claim_mappings: mappings });
    if (!valid.ok) return valid;
    const displayedVersion = displayed === "none" ? 0 : displayed.getTime();
    return await changeDisplayedClient(deps, { ...by, change: changeOf(valid.value), displayedVersion });
  },
  async preview(deps, { mappings, ...request }) {
    const valid = mappings ? validateClientChange({ claim_mappings: mappings }) : ok({});
    if (!valid.ok) return valid;
    const { claimMappings } = changeOf(valid.value);
    return await previewApplicationClaims(deps, { ...request, claimMappings });
  },
};

export const API_CLAIMS: ClaimsOwner = {
  kind: "api",
  list: RESOURCES,
  pages: {
    claims: { path: "/admin/resources/:id/claims" },
    edit: { path: "/admin/resources/:id/claims/edit" },
    confirm: { path: "/admin/resources/:id/claims/confirm" },
  },
  async read(deps, { admin, params }) {
    const found = await readResource(deps, admin, params.id ?? "");
    if (!found.ok) return found;
    const { id, name, claimMappings: mappings, updatedAt } = found.value;
    const scopes = found.value.scopes.map((scope) => scope.name);
    return ok({ owner: API_CLAIMS, id, name, mappings, scopes, updatedAt, mayHaveMappings: true });
  },
  async save(deps, { mappings, ...by }) {
    const valid = validateResourceChange({ claim_mappings: mappings });
    return valid.ok ? await changeDisplayedResource(deps, { ...by, change: resourceChangeOf(valid.value) }) : valid;
  },
  async preview(deps, { mappings, ...request }) {
    const valid = mappings ? validateResourceChange({ claim_mappings: mappings }) : ok({});
    if (!valid.ok) return valid;
    const { claimMappings } = resourceChangeOf(valid.value);
    return await previewApiClaims(deps, { ...request, claimMappings });
  },
};
