import type { Static } from "@sinclair/typebox";
import { err, ok } from "../../base/result.ts";
import type { SessionDeps } from "../../deps.ts";
import { authorizeMetadataReader } from "../../flows/metadata/authorize-metadata.ts";
import {
  changeMetadata,
  type MetadataChange,
  type ReadableMetadata,
  readMetadata,
} from "../../flows/metadata/change-metadata.ts";
import { authorizePrincipal, lacksPermission } from "../../flows/steps/authorization/authorize-member.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { ChangeMetadataBody, MetadataItem } from "../schemas/metadata.ts";

const OF_MEMBER = "/orgs/:org_id/members/:user_id/metadata";
const OF_ORGANIZATION = "/orgs/:org_id/metadata";
const shared = { tag: "Members", auth: "administrative" } as const;
const problems = ["not_found", "forbidden"] as const;
const responses = { 200: { description: "The metadata", schema: MetadataItem } };

/** docs/contract.md, section 34.2. */
export function metadataRoutes(deps: SessionDeps): Endpoint[] {
  return [...memberRoutes(deps), ...organizationRoutes(deps)];
}

function memberRoutes(deps: SessionDeps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: "GET",
      path: OF_MEMBER,
      operationId: "getMemberMetadata",
      docs: { clientMethod: "metadata.ofMember", section: "34.2", access: "caller, own, or with `members.role`" },
      summary: "Get the metadata of a member",
      description: "A member reads the member's own public metadata.",
      permission: "members.metadata",
      session: { servesWithout: "self" },
      responses,
      problems,
      async authorize(caller, { org_id, user_id }, permission) {
        const reader = await authorizeMetadataReader(deps, caller, org_id, permission);
        if (!reader.ok || reader.value.readsPrivate) return reader;
        return reader.value.caller.actor.userId === user_id ? reader : err(lacksPermission(permission));
      },
      async handle({ authorized: reader, params }) {
        const metadata = await readMetadata(deps, reader, params.user_id);
        return metadata.ok ? ok(reply(200, metadataBody(metadata.value))) : metadata;
      },
    }),
    endpoint({
      ...shared,
      method: "PATCH",
      path: OF_MEMBER,
      operationId: "changeMemberMetadata",
      docs: { clientMethod: "metadata.changeOfMember", section: "34.2" },
      summary: "Merge into the metadata of a member",
      permission: "members.metadata",
      input: { body: ChangeMetadataBody },
      responses,
      problems,
      authorize: (caller, { org_id }, permission) => authorizePrincipal(deps, caller, org_id, permission),
      async handle({ authorized: caller, params, body, client }) {
        const changed = await changeMetadata(deps, { caller, userId: params.user_id, change: changeIn(body), client });
        return changed.ok ? ok(reply(200, metadataBody(changed.value))) : changed;
      },
    }),
  ];
}

function organizationRoutes(deps: SessionDeps): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: "GET",
      path: OF_ORGANIZATION,
      operationId: "getOrganizationMetadata",
      docs: { clientMethod: "metadata.ofOrganization", section: "34.2" },
      summary: "Get the metadata of an organization",
      description: "Members read the public metadata; private metadata need `organization.update`.",
      permission: "organization.update",
      keyPermission: "members.metadata",
      session: { servesWithout: "member" },
      responses,
      problems,
      authorize: (caller, { org_id }) => authorizeMetadataReader(deps, caller, org_id, "organization.update"),
      async handle({ authorized: reader }) {
        const metadata = await readMetadata(deps, reader);
        return metadata.ok ? ok(reply(200, metadataBody(metadata.value))) : metadata;
      },
    }),
    endpoint({
      ...shared,
      method: "PATCH",
      path: OF_ORGANIZATION,
      operationId: "changeOrganizationMetadata",
      docs: { clientMethod: "metadata.changeOfOrganization", section: "34.2" },
      summary: "Merge into the metadata of an organization",
      permission: "organization.update",
      keyPermission: "members.metadata",
      input: { body: ChangeMetadataBody },
      responses,
      problems,
      authorize: (caller, { org_id }, permission) => authorizePrincipal(deps, caller, org_id, permission),
      async handle({ authorized: caller, body, client }) {
        const changed = await changeMetadata(deps, { caller, change: changeIn(body), client });
        return changed.ok ? ok(reply(200, metadataBody(changed.value))) : changed;
      },
    }),
  ];
}

function changeIn(body: Static<typeof ChangeMetadataBody>): MetadataChange {
  return { publicMetadata: body.public_metadata, privateMetadata: body.private_metadata };
}

function metadataBody({ publicMetadata, privateMetadata }: ReadableMetadata) {
  return {
    public_metadata: { ...publicMetadata },
    ...(privateMetadata === undefined ? {} : { private_metadata: { ...privateMetadata } }),
  };
}
