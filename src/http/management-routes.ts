/** The endpoints of users and organizations for administrators of the platform and programs. */
import type { Endpoint } from "./endpoint.ts";
import { type AdminDeps, adminRoutes } from "./routes/admin.ts";
import { adminCredentialRoutes } from "./routes/admin-credentials.ts";
import { adminOrganizationRoutes } from "./routes/admin-organizations.ts";
import { adminUserRoutes } from "./routes/admin-users.ts";
import { type TicketDeps, ticketRoutes } from "./routes/tickets.ts";

export type ManagementDeps = AdminDeps & TicketDeps;

/** docs/contract.md, chapters 14 and 36. */
export function managementRoutes(deps: ManagementDeps): Endpoint[] {
  return [
    ...adminRoutes(deps),
    ...adminUserRoutes(deps),
    ...adminCredentialRoutes(deps),
    ...adminOrganizationRoutes(deps),
    ...ticketRoutes(deps),
  ];
}
