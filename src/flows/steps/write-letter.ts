import type { ClientFacts } from "../../base/client-facts.ts";
import type { Deps } from "../../deps.ts";
import { type Circumstances, type Letter, type SealedLetter, sealLetter } from "../../models/letter/letter.ts";
import { type Correspondent, findCorrespondent } from "../../models/user/user.ts";

type Needs = Pick<Deps, "sealing" | "random">;

/** Seals a letter in the language of its reader, for `insertLetter` in the statement that makes what it speaks of. */
export function writeLetter(
  needs: Needs,
  to: Correspondent,
  client: ClientFacts,
  letter: Letter,
  at: Date,
): SealedLetter {
  const locale = to.locale ?? client.locale;
  return sealLetter(needs, { to: to.email, name: to.displayName, locale, letter }, at);
}

/** A letter to a user who is known by id: one more statement to learn name and language. */
export async function writeLetterTo(
  needs: Needs & Pick<Deps, "database">,
  userId: string,
  client: ClientFacts,
  letter: Letter,
  at: Date,
): Promise<SealedLetter> {
  const to = await needs.database.run("user.find_correspondent", (sql) => findCorrespondent(sql, userId));
  if (!to) throw new Error("the user of a live session is gone");
  return writeLetter(needs, to, client, letter, at);
}

/** The values of every notice. */
export function circumstances(client: ClientFacts, at: Date): Circumstances {
  return {
    time: `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ip_address: client.ipAddress,
    user_agent: client.userAgent,
  };
}
