import { join } from "node:path";
import type { Deps } from "../../deps.ts";
import { type KeptMail, readKeptMails } from "../../providers/mail/folder.ts";

/** The e-mails that embedded mode keeps instead of sending, newest first; for the page of the developer. */
export async function readMailFolder({ config }: Pick<Deps, "config">): Promise<readonly KeptMail[]> {
  return config.embedded ? await readKeptMails(join(config.dataDirectory, "outbox")) : [];
}
