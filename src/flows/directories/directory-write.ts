import type { Sql } from "../../database/database.ts";
import type { Directory } from "../../models/directory/directory.ts";
import type { DirectoryUser } from "../../models/directory/directory-user.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import type { DirectoryCaller, DirectoryDeps } from "./directory-caller.ts";

/** A write of a directory inside its transaction. */
export interface DirectoryWrite {
  readonly deps: DirectoryDeps;
  readonly sql: Sql;
  readonly caller: DirectoryCaller;
  /** Locked. */
  readonly directory: Directory;
  readonly at: Date;
  /** Announced after the commit. */
  readonly events: SessionEvent[];
}

/** A record with the document of the request. */
export type ProvisionedRecord = Pick<
  DirectoryUser,
  "id" | "document" | "userId" | "link" | "formerRole" | "formerJoinedAt"
>;
