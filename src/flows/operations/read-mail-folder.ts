import { join } from "node:path";
import type { Deps } from "../../deps.ts";
import { type KeptMail, readKeptMails } from "../../providers/mail/mail-folder.ts";

/** The emails kept by embedded mode instead of sending, newest first; for the developer page. */
export async function readMailFolder({ config }: Pick<Deps, "config">): Promise<readonly KeptMail[]> {
  return config.embedded ? await readKeptMails(join(config.dataDirectory, "outbox")) : [];
}
