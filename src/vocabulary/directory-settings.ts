/** The settings of a directory, and their values (docs/contract.md, chapter 31). */
export const DIRECTORY_STATUSES = ["active", "paused"] as const;
export const OUTSIDE_DOMAINS = ["invite", "refuse"] as const;
export const ROLE_SOURCES = ["groups", "none"] as const;
/** Roles that a directory grants; never `owner`. */
export const DIRECTORY_ROLES = ["admin", "member"] as const;
export type DirectoryRole = (typeof DIRECTORY_ROLES)[number];

export interface DirectorySettings {
  readonly status: (typeof DIRECTORY_STATUSES)[number];
  readonly defaultRole: DirectoryRole;
  readonly outsideDomains: (typeof OUTSIDE_DOMAINS)[number];
  readonly roleSource: (typeof ROLE_SOURCES)[number];
}

export const DEFAULT_DIRECTORY: DirectorySettings = {
  status: "active",
  defaultRole: "member",
  outsideDomains: "invite",
  roleSource: "groups",
};
