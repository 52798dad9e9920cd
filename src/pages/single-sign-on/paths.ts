/** The addresses of the pages of single sign-on. */
import { sectionPath } from "../shared/sections.tsx";

export const SSO = "/team/single-sign-on";
export const NEW_CONNECTION = "/team/single-sign-on/new";
export const SSO_POLICY = "/team/single-sign-on/policy";

/** `overview` is the set-up. */
export const CONNECTION_SECTIONS = ["overview", "mapping", "attempts"] as const;
export type ConnectionSection = (typeof CONNECTION_SECTIONS)[number];

export function connectionPath(id: string, section: ConnectionSection = "overview"): string {
  return sectionPath(`${SSO}/${id}`, section);
}

/** The address of the form with a file of metadata, behind the address of the page of a connection. */
export function metadataFilePath(place: string): string {
  return `${place}/metadata`;
}
