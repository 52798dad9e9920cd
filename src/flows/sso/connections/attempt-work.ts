import type { Deps } from "../../../deps.ts";
import type { RolledConnection } from "../../../models/sso-connection/certificate-rollover.ts";

/**
 * Performs the work of a round for a connection. Undefined after an error, which is logged: the round continues with
 * the next connection.
 */
export async function attempt<T>(
  { log }: Pick<Deps, "log">,
  { id, organizationId }: RolledConnection,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const details = { err: error, connection_id: id, organization_id: organizationId };
    log.error(details, "the credentials of a connection were not renewed or reported; a later round follows");
    return undefined;
  }
}
