import type { Deps } from "../../deps.ts";

/** The page on which owners and admins manage the directory. */
export function directoryLink({ config }: Pick<Deps, "config">): string {
  return `${config.urls.publicBaseUrl}/team/directory`;
}
