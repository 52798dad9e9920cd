import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { createOwnOrganization } from "../../flows/organizations/create-own.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { CreatedOrganization, CreateOrganizationBody } from "../schemas/organizations.ts";

/** docs/contract.md, section 34.4. */
export function organizationRoutes(deps: StoreDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs",
      operationId: "createOwnOrganization",
      docs: { clientMethod: "organizations.create", section: "34.4" },
      tag: "Members",
      summary: "Create a further organization, owned by the caller",
      description: "Needs a verified address. The session stays in its organization.",
      auth: "own",
      input: { body: CreateOrganizationBody },
      responses: { 201: { description: "Created", schema: CreatedOrganization } },
      problems: ["forbidden", "conflict"],
      async handle({ caller: { session }, body, client }) {
        const { organization_name: organizationName, slug } = body;
        const created = await createOwnOrganization(deps, { session, organizationName, slug, client });
        if (!created.ok) return created;
        const { organizationId, name, slug: chosen } = created.value;
        return ok(
          reply(201, {
            organization_id: organizationId,
            organization_name: name,
            slug: chosen,
            role: "owner" as const,
          }),
        );
      },
    }),
  ];
}
