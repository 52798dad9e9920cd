import type { AuditDeps } from "../deps.ts";
import type { Endpoint } from "./endpoint.ts";
import { auditTrailRoutes } from "./routes/audit.ts";
import { transparencyLogRoutes } from "./routes/transparency-log.ts";

/** The audit trail and its transparency log: docs/contract.md, chapter 17. */
export function auditRoutes(deps: AuditDeps): Endpoint[] {
  return [...auditTrailRoutes(deps), ...transparencyLogRoutes(deps)];
}
