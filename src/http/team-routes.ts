/** The endpoints of the members of organizations, with roles, groups and metadata. */
import type { Deps, EmailDeps, SessionDeps } from "../deps.ts";
import type { Endpoint } from "./endpoint.ts";
import { domainJoinRoutes } from "./routes/domain-join.ts";
import { groupRoutes } from "./routes/groups.ts";
import { memberRoutes } from "./routes/members.ts";
import { metadataRoutes } from "./routes/metadata.ts";
import { type ApplicationRouteDeps, organizationApplicationRoutes } from "./routes/organization-applications.ts";
import { organizationRoutes } from "./routes/organizations.ts";
import { roleRoutes } from "./routes/roles.ts";

type TeamDeps = ApplicationRouteDeps &
  SessionDeps &
  EmailDeps &
  Pick<Deps, "codeKey" | "geolocation" | "oauthResources" | "reads">;

/** docs/contract.md, sections 13.7 to 13.11 and 33.9, and chapters 32 and 34. */
export function teamRoutes(deps: TeamDeps): Endpoint[] {
  return [
    ...memberRoutes(deps),
    ...roleRoutes(deps),
    ...groupRoutes(deps),
    ...metadataRoutes(deps),
    ...domainJoinRoutes(deps),
    ...organizationRoutes(deps),
    ...organizationApplicationRoutes(deps),
  ];
}
