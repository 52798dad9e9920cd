/**
 * Ends and deletes all data of a client, in bounded statements: the client may have a grant of every user, and many
 * token families for each grant. The client is disabled before. Until every replica has read the change, within five
 * seconds, a grant or a request may still be added, but no token: PostgreSQL refuses the code and the refresh. Each
 * batch is committed separately: after a crash, a repeated call ends the remaining tokens, or the next call before the
 * client is enabled again.
 */

import type { Fragment, Sql } from "../../../database/database.ts";
import { pagesById } from "../../../database/pages-by-id.ts";
import {
  OAUTH_FAMILIES_ENDED_AT_ONCE,
  OAUTH_GRANTS_ENDED_AT_ONCE,
  OAUTH_GRANTS_READ_AT_ONCE,
  OAUTH_ROWS_DELETED_AT_ONCE,
} from "../../../limits/oauth-limits.ts";
import { findClient } from "../../../models/oauth-client/oauth-client.ts";
import {
  deleteFamiliesOfGrants,
  endFamiliesOfClient,
  endFamiliesOutside,
  type FamiliesToEnd,
} from "../../../models/oauth-grant/family-state.ts";
import {
  deleteCodesOfClient,
  deleteCodesOutside,
  deleteGrants,
  grantIdsOfClient,
} from "../../../models/oauth-grant/oauth-grant.ts";
import { deleteLogoutsOfClient } from "../../../models/oauth-logout/oauth-logout.ts";
import { deleteRequestsOfClient } from "../../../models/oauth-request/oauth-request.ts";
import { endFamilies } from "../../steps/tokens/token-family-events.ts";
import type { EndFamiliesDeps } from "./end-families.ts";

/** The bounds of a statement; tests use smaller bounds. */
export interface EndBatches {
  /** Grants read at once: more than end at once, because a read may sort all grants of the client. */
  readonly read: number;
  readonly grants: number;
  readonly families: number;
  readonly rows: number;
}

const BATCHES: EndBatches = {
  read: OAUTH_GRANTS_READ_AT_ONCE,
  grants: OAUTH_GRANTS_ENDED_AT_ONCE,
  families: OAUTH_FAMILIES_ENDED_AT_ONCE,
  rows: OAUTH_ROWS_DELETED_AT_ONCE,
};

/**
 * Ends and announces codes and families, first the families whose access tokens are accepted without a call to this
 * service.
 */
export async function endTokensOfClient(deps: EndFamiliesDeps, clientId: string, batches = BATCHES): Promise<void> {
  await endUsableTokens(deps, clientId, batches);
  await endFamiliesInBatches(deps, clientId, "all", batches);
}

/**
 * Runs before a client is enabled: the replica that disabled the client may have stopped before the last token was
 * ended.
 */
export async function endTokensOfDisabled(deps: EndFamiliesDeps, clientId: string): Promise<void> {
  const client = await deps.database.run("oauth_client.find", (sql) => findClient(sql, clientId));
  if (client?.disabled) await endTokensOfClient(deps, clientId);
}

/**
 * Ends and announces codes and families of organizations that the client no longer serves. A replica that stopped half
 * way leaves families that PostgreSQL refuses at every refresh; a repeated call ends the remaining families.
 */
export async function endTokensOutside(
  deps: EndFamiliesDeps,
  clientId: string,
  organizations: readonly string[],
  batches = BATCHES,
): Promise<void> {
  await deps.database.run("oauth_code.delete_outside", (sql) => deleteCodesOutside(sql, clientId, organizations));
  await endInBatches(deps, clientId, batches, "organization_excluded", (sql, batch) =>
    endFamiliesOutside(sql, { ...batch, organizations }),
  );
}

/** Deletes all references to the client except its secrets, of which at most two exist. */
export async function deleteAllOfClient(deps: EndFamiliesDeps, clientId: string, batches = BATCHES): Promise<void> {
  await endUsableTokens(deps, clientId, batches);
  await forGrantsOf(deps, clientId, batches, async (grantIds) => {
    await repeat(batches.families, (limit) =>
      deps.database.run("oauth_family.delete_of_grants", (sql) => deleteFamiliesOfGrants(sql, grantIds, limit)),
    );
    await deps.database.run("oauth_grant.delete_of_client", (sql) => deleteGrants(sql, grantIds));
  });
  await repeat(batches.rows, (limit) =>
    deps.database.run("oauth_request.delete_of_client", (sql) => deleteRequestsOfClient(sql, clientId, limit)),
  );
  await repeat(batches.rows, (limit) =>
    deps.database.run("oauth_logout.delete_of_client", (sql) => deleteLogoutsOfClient(sql, clientId, limit)),
  );
}

async function endUsableTokens(deps: EndFamiliesDeps, clientId: string, batches: EndBatches): Promise<void> {
  await deps.database.run("oauth_code.delete_of_client", (sql) => deleteCodesOfClient(sql, clientId));
  await endFamiliesInBatches(deps, clientId, "with_access", batches);
}

async function endFamiliesInBatches(
  deps: EndFamiliesDeps,
  clientId: string,
  which: FamiliesToEnd,
  batches: EndBatches,
): Promise<void> {
  await endInBatches(deps, clientId, batches, "client_ended", (sql, batch) =>
    endFamiliesOfClient(sql, { ...batch, which }),
  );
}

interface FamilyBatch {
  readonly grantIds: readonly string[];
  readonly at: Date;
  readonly limit: number;
}

/** `end`: the CTE fragment that ends a batch of families. */
async function endInBatches(
  deps: EndFamiliesDeps,
  clientId: string,
  batches: EndBatches,
  reason: string,
  end: (sql: Sql, batch: FamilyBatch) => Fragment,
): Promise<void> {
  await forGrantsOf(deps, clientId, batches, async (grantIds) => {
    await repeat(batches.families, async (limit) => {
      const at = new Date(deps.clock.now());
      const { ended, events } = await deps.database.run("oauth_family.end_of_client", (sql) =>
        endFamilies(sql, end(sql, { grantIds, at, limit }), reason, at),
      );
      await deps.revocations.announce(events);
      return ended;
    });
  });
}

/** Hands every grant of the client to `work` once, some at a time. */
async function forGrantsOf(
  { database }: EndFamiliesDeps,
  clientId: string,
  batches: EndBatches,
  work: (grantIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const read = (after: string) =>
    database.run("oauth_grant.ids_of_client", (sql) => grantIdsOfClient(sql, clientId, after, batches.read));
  for await (const ids of pagesById(batches.read, read, (id) => id)) {
    for (let index = 0; index < ids.length; index += batches.grants) {
      await work(ids.slice(index, index + batches.grants));
    }
  }
}

/** Repeats a statement, which returns the number of found rows, until the number is less than its limit. */
async function repeat(limit: number, statement: (limit: number) => Promise<number>): Promise<void> {
  while ((await statement(limit)) === limit);
}
