/** The addresses of the page of the directory. */
import { sectionPath } from "../shared/sections.tsx";

export const DIRECTORY = "/team/directory";

/** `overview` is the set-up. */
export const DIRECTORY_SECTIONS = ["overview", "groups", "users", "requests"] as const;
export type DirectorySection = (typeof DIRECTORY_SECTIONS)[number];

export function directoryPath(section: DirectorySection, values: Readonly<Record<string, string>> = {}): string {
  return sectionPath(DIRECTORY, section, values);
}
