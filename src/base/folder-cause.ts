/** Names the cause of a failed write to a folder by the code of the operating system, with the next step. */

export interface FolderCause {
  /** A predicate of the folder, such as `is read-only`. */
  readonly cause: string;
  readonly remedy: string;
}

const FOREIGN: FolderCause = {
  cause: "is not writable for this user",
  remedy: "start the service as the owner of the folder, or change the owner (chown -R)",
};
const CAUSES: Readonly<Record<string, FolderCause>> = {
  ENOENT: { cause: "does not exist and cannot be created", remedy: "create the folder, or name another one" },
  EEXIST: { cause: "is not a folder", remedy: "name a folder" },
  ENOTDIR: { cause: "is not a folder", remedy: "name a folder" },
  EACCES: FOREIGN,
  EPERM: FOREIGN,
  EROFS: { cause: "is read-only", remedy: "mount the folder with write access" },
  ENOSPC: { cause: "is on a full disk", remedy: "free space" },
  EDQUOT: { cause: "has used up its quota", remedy: "free space, or raise the quota" },
};

/** Undefined for an error that is not about a folder. */
export function causeOfFolder(error: unknown): FolderCause | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return CAUSES[code];
}
