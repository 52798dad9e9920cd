/** What the sections of the directory display. */
import type { NamedChannel } from "../../base/problem.ts";
import type { Listing } from "../../database/listing.ts";
import type { ListedGroup } from "../../flows/directories/administer.ts";
import type { RolePreview } from "../../flows/directories/map-group.ts";
import type { Directory } from "../../models/directory/directory.ts";
import type { DirectoryUser } from "../../models/directory/directory-user.ts";
import type { RefusedRequest } from "../../models/directory/refused-request.ts";
import type { DirectoryKey } from "../../models/service-account/directory-keys.ts";
import type { DirectorySection } from "./paths.ts";

export interface DirectoryViewModel {
  /** Undefined: the organization has no directory. */
  readonly directory: Directory | undefined;
  readonly section: DirectorySection;
  readonly baseUrl: string;
  readonly keys: readonly DirectoryKey[];
  /** Read for their section only. */
  readonly groups: Listing<ListedGroup> | undefined;
  readonly users: Listing<DirectoryUser> | undefined;
  readonly requests: Listing<RefusedRequest> | undefined;
  /** The requested change of a group's role, before the confirmation. */
  readonly preview: RolePreview | undefined;
  /** Who is responsible for the keys that decide about the users and groups. */
  readonly channels: readonly NamedChannel[];
}
