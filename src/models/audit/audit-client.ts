import type { RequestContext } from "../../base/request-context.ts";
import type { Fragment } from "../../database/database.ts";

/** The origin of the request. SQL expressions over the rows of the audit statement's `from`: of several requests. */
export type AuditClient = Pick<RequestContext, "traceparent"> & {
  readonly [Key in "ipAddress" | "requestId" | "userAgent"]: Fragment | RequestContext[Key];
};
