import type { SetupIntent } from "../../vocabulary/setup-intent.ts";

/** The addresses of the pages of a set-up link: the cookie of the link has the path of the first. */

export const SETUP = "/setup";
export const SETUP_DOMAINS = "/setup/domains";
export const SETUP_CONNECTION = "/setup/connection";
export const SETUP_DIRECTORY = "/setup/directory";

export const SETUP_PATHS: Readonly<Record<SetupIntent, string>> = {
  domains: SETUP_DOMAINS,
  connection: SETUP_CONNECTION,
  directory: SETUP_DIRECTORY,
};
