/** The directory and the one token of a set-up link (docs/contract.md, section 29.52). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, type Result } from "../../../base/result.ts";
import type { EmailDeps, SessionDeps } from "../../../deps.ts";
import { claimDirectoryToken, releaseDirectoryToken } from "../../../models/setup-link/setup-link.ts";
import { DEFAULT_DIRECTORY } from "../../../vocabulary/directory-settings.ts";
import { putDirectory, readDirectory } from "../../directories/administer.ts";
import { createDirectoryKey } from "../../directories/keys.ts";
import type { CreatedKey } from "../../service-accounts/keys.ts";
import { setupAuthorOf } from "../../steps/authorization/authorize-service-accounts.ts";
import type { SetupInput } from "./connection.ts";

const HAS_TOKEN = refusal("conflict", "The set-up link has created its directory token already.");

type TokenResult = Result<
  CreatedKey,
  Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input" | "not_found">
>;

/**
 * Creates the token of the directory, and the directory with the default settings if there is none. The token is
 * displayed once, and a link creates one token.
 */
export async function createSetupToken(deps: SessionDeps & EmailDeps, input: SetupInput): Promise<TokenResult> {
  const { id } = input.setup.link;
  const at = new Date(deps.clock.now());
  const isFirst = await deps.database.run("setup_link.claim_token", (sql) => claimDirectoryToken(sql, id, at));
  if (!isFirst) return err(HAS_TOKEN);
  const created = await createToken(deps, input);
  if (!created.ok) await deps.database.run("setup_link.release_token", (sql) => releaseDirectoryToken(sql, id));
  return created;
}

async function createToken(deps: SessionDeps & EmailDeps, { setup, client }: SetupInput): Promise<TokenResult> {
  const { caller } = setup;
  const existing = await readDirectory(deps, caller);
  const directory = existing.ok ? existing : await putDirectory(deps, { caller, client, settings: DEFAULT_DIRECTORY });
  if (!directory.ok) return directory;
  const { organizationId } = caller;
  return await createDirectoryKey(deps, { caller: setupAuthorOf(setup), organizationId, client });
}
