import { describe, expect, test } from "bun:test";
import { registered } from "../support/client.ts";
import { codeIn, MailProvider } from "../support/mail.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { until } from "../support/waiting.ts";

describe("a replica killed while the provider had the mail but had not answered (G29)", () => {
  test("leaves the email to a second replica, which sends under the same key: one mail in the mailbox", async () => {
    const url = await freshDatabase();
    const provider = new MailProvider();
    const settings = { DATABASE_URL: url, SERVICE_EMAIL_API_URL: provider.url, SERVICE_EMAIL_API_KEY: "re_key" };
    const doomed = await startReplica(settings);
    const { client, email } = await registered(doomed.url);
    const sql = openSql(url);
    await until("the mail of the registration", async () => (await sql`select 1 from outbox`).length === 0);
    const before = provider.calls.length;
    provider.answer = async () => {
      await Bun.sleep(30_000);
      return Response.json({});
    };
    await client.post("/v1/auth/email-otp/request", { email });
    await until("the provider has the mail", async () => provider.calls.length > before);
    await doomed.kill();
    provider.answer = () => Response.json({});
    const heir = await startReplica(settings);
    // The update expires the lease of the killed replica.
    await sql`update outbox set next_attempt_at = now()`;
    // Any email wakes the outbox, which otherwise polls every five seconds.
    await registered(heir.url);
    await until("the mail is sent", async () => (await sql`select 1 from outbox`).length === 0);
    const keys = provider.calls.slice(before).flatMap(({ key, mail }) => (codeIn(mail) === "none" ? [] : [key]));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(provider.delivered.filter((mail) => codeIn(mail) !== "none")).toHaveLength(1);
    await heir.kill();
  });
});
