/**
 * The client with the methods of administrators: roles, groups, policies, directories, webhooks, service accounts and
 * the operations of platform administrators. A separate entry point, so that the core does not load their table.
 */
import { type ClientOptions, createClientOf, type SessionMethods, type SsoMethods, withSsoStart } from "./client.ts";
import { ADMINISTRATION, type AdministrationMethods, METHODS, type Methods } from "./generated/methods.gen.ts";

export interface AdministrationClient extends Omit<Methods, "sso">, AdministrationMethods, SessionMethods, SsoMethods {}

/** As `createClient` of the main entry, with the methods of administrators. */
export function createClient(options: ClientOptions): AdministrationClient {
  const table = { ...METHODS, ...ADMINISTRATION };
  return withSsoStart(createClientOf<Methods & AdministrationMethods>(table, options));
}
