import type { RequestContext } from "../../../base/request-context.ts";
import type { UsableConnection } from "./connection.ts";
import type { AssertedIdentity } from "./map-claims.ts";

/** A verified identity of a connection, for the accounts of the organization. */
export interface ProvisioningInput {
  readonly connection: UsableConnection;
  readonly asserted: AssertedIdentity;
  readonly client: RequestContext;
  readonly at: Date;
}
