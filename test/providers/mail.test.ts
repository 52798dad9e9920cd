import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { httpMail } from "../../src/providers/mail/http.ts";
import { folderMail } from "../../src/providers/mail/mail-folder.ts";
import { smtpMail } from "../../src/providers/mail/smtp.ts";
import { LANGUAGES } from "../../src/vocabulary/languages.ts";
import { emailTemplates } from "../support/mail.ts";

const MAIL = {
  id: "019a0000-0000-7000-8000-000000000001",
  to: "ann@example.test",
  subject: "Grüße",
  text: "Hello\n\n123456\n",
  html: "<p>Hello</p>",
};
const CODE = { code: "123456", minutes: 10, name: null };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-mail-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("HTTP", () => {
  test("answers failed without a listener, and does not follow a redirect with key and content", async () => {
    const unreachable = httpMail({ apiUrl: "http://127.0.0.1:9", apiKey: "key", from: "a@b.test" });
    expect((await unreachable.send(MAIL)).outcome).toBe("failed");
    let followed = 0;
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        if (!request.url.endsWith("/emails")) followed += 1;
        return Response.redirect("/elsewhere", 307);
      },
    });
    const redirecting = httpMail({ apiUrl: server.url.origin, apiKey: "key", from: "a@b.test" });
    expect(await redirecting.send(MAIL)).toEqual({ outcome: "failed", cause: "status 307" });
    expect(followed).toBe(0);
    await server.stop(true);
  });
});

test("HTTP names the mail automatic, and quotes the local part of a carrier's address (G436, G437)", async () => {
  const bodies: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      bodies.push(await request.json());
      return Response.json({ id: "taken" });
    },
  });
  const http = httpMail({ apiUrl: server.url.origin, apiKey: "key", from: "a@b.test" });
  for (const to of [MAIL.to, "taro..y.@docomo.ne.jp"]) expect((await http.send({ ...MAIL, to })).outcome).toBe("sent");
  const { id: _, ...content } = MAIL;
  const sent = { ...content, from: "a@b.test", headers: { "Auto-Submitted": "auto-generated" } };
  expect(bodies).toEqual([
    { ...sent, to: [MAIL.to] },
    { ...sent, to: ['"taro..y."@docomo.ne.jp'] },
  ]);
  await server.stop(true);
});

test.each([
  ["a@b.test is not verified: the domain is not verified", "failed"],
  ["Invalid `from` field", "failed"],
  ["Invalid `to` field", "refused"],
])("HTTP 422 with the error %s is %s (G414)", async (message, outcome) => {
  const server = Bun.serve({
    port: 0,
    fetch: () => Response.json({ name: "validation_error", message }, { status: 422 }),
  });
  const http = httpMail({ apiUrl: server.url.origin, apiKey: "key", from: "a@b.test" });
  expect((await http.send(MAIL)).outcome).toBe(outcome as "failed" | "refused");
  await server.stop(true);
});

describe("SMTP", () => {
  async function smtpServer(options: SMTPServerOptions) {
    const server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"], logger: false, ...options });
    const port = await new Promise<number>((listening) => {
      const bound = server.listen(0, "127.0.0.1", () => listening((bound.address() as { port: number }).port));
    });
    return {
      url: `smtp://127.0.0.1:${port}`,
      close: () => new Promise<void>((closed) => server.close(() => closed())),
    };
  }

  test("sends text and HTML to one recipient, with a Message-ID that the row's id makes", async () => {
    const received: { source: string; recipients: string[] }[] = [];
    const server = await smtpServer({
      onData(stream, session, done) {
        let source = "";
        stream.on("data", (chunk: Buffer) => {
          source += chunk;
        });
        stream.on("end", () => {
          received.push({ source, recipients: session.envelope.rcptTo.map(({ address }) => address) });
          done();
        });
      },
    });
    const smtp = smtpMail({ url: server.url, from: "Acme <no-reply@acme.test>", host: "acme.test", connections: 3 });
    expect(await smtp.send(MAIL)).toEqual({ outcome: "sent" });
    expect(received).toHaveLength(1);
    expect(received[0]?.recipients).toEqual(["ann@example.test"]);
    for (const part of [
      `Message-ID: <${MAIL.id}@acme.test>`,
      "text/plain",
      "text/html",
      "From: Acme <no-reply@acme.test>",
    ]) {
      expect(received[0]?.source).toContain(part);
    }
    await server.close();
  });

  test("names a local part with dots in a row and at the end in quotes (G436)", async () => {
    const lines: string[] = [];
    // `smtp-server` refuses quotes in an address, Postfix 3.7 accepts them.
    const server = createServer((socket) => {
      socket.write("220 acme.test\r\n");
      socket.on("data", (chunk) => {
        const sent = String(chunk).split("\r\n").filter(Boolean);
        lines.push(...sent.filter((line) => /^(RCPT|To:)/.test(line)));
        const isContent = sent.length > 1 && sent.at(-1) !== ".";
        if (!isContent) socket.write(sent[0] === "DATA" ? "354 go\r\n" : "250 ok\r\n");
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as { port: number };
    const url = `smtp://127.0.0.1:${port}`;
    const smtp = smtpMail({ url, from: "no-reply@acme.test", host: "acme.test", connections: 1 });
    expect(await smtp.send({ ...MAIL, to: "taro..y.@docomo.ne.jp" })).toEqual({ outcome: "sent" });
    expect(lines).toEqual(['RCPT TO:<"taro..y."@docomo.ne.jp>', 'To: <"taro..y."@docomo.ne.jp>']);
    server.close();
  });

  test("answers refused for a recipient the server never takes, failed for one it may take later", async () => {
    const replies = (code: number) =>
      smtpServer({
        onRcptTo: (_address, _session, done) => done(Object.assign(new Error("no"), { responseCode: code })),
      });
    const outcomes = [];
    for (const code of [550, 450]) {
      const server = await replies(code);
      const smtp = smtpMail({ url: server.url, from: "a@b.test", host: "b.test", connections: 3 });
      const delivery = await smtp.send(MAIL);
      outcomes.push(delivery.outcome);
      expect(JSON.stringify(delivery)).not.toContain("ann@");
      await server.close();
    }
    expect(outcomes).toEqual(["refused", "failed"]);
  });

  test.each([
    [530, "5.7.0 Authentication required"],
    [530, "Must issue a STARTTLS command first"],
    [550, "5.7.1 Relaying denied"],
    [554, "Relay access denied"],
    [550, "5.7.60 Client does not have permissions to send as this sender"],
    [550, "5.4.5 Daily user sending limit exceeded"],
    [553, "5.1.8 Sender address rejected"],
  ])("keeps an email after the reply %i %s, which concerns the configuration (G414)", async (responseCode, text) => {
    const server = await smtpServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error(text), { responseCode })),
    });
    const smtp = smtpMail({ url: server.url, from: "a@b.test", host: "b.test", connections: 3 });
    expect((await smtp.send(MAIL)).outcome).toBe("failed");
    await server.close();
  });

  test("keeps an email after any refusal of the sender, and tells command and status (G414)", async () => {
    const server = await smtpServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error("5.7.1 no"), { responseCode: 550 })),
    });
    const smtp = smtpMail({ url: server.url, from: "a@b.test", host: "b.test", connections: 3 });
    expect(await smtp.send(MAIL)).toEqual({ outcome: "failed", cause: "EENVELOPE MAIL FROM 550 5.7.1" });
    await server.close();
  });

  test("sends 20 emails over three connections (G414)", async () => {
    let connections = 0;
    let sent = 0;
    const server = await smtpServer({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
      onData(stream, _session, done) {
        stream.resume().on("end", () => {
          sent += 1;
          done();
        });
      },
    });
    const smtp = smtpMail({ url: server.url, from: "a@b.test", host: "b.test", connections: 3 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => smtp.send(MAIL)));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["sent"]));
    expect(sent).toBe(20);
    expect(connections).toBeLessThanOrEqual(3);
    await server.close();
  });

  test("answers failed without a listener, and when the log-in is refused", async () => {
    const unreachable = smtpMail({ url: "smtp://127.0.0.1:9", from: "a@b.test", host: "b.test", connections: 3 });
    expect((await unreachable.send(MAIL)).outcome).toBe("failed");
    const server = await smtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 535 })),
    });
    const unknown = smtpMail({
      url: server.url.replace("//", "//user:secret@"),
      from: "a@b.test",
      host: "b.test",
      connections: 3,
    });
    const delivery = await unknown.send(MAIL);
    expect(delivery.outcome).toBe("failed");
    expect(JSON.stringify(delivery)).not.toContain("secret");
    await server.close();
  });

  test("gives up a silent server", async () => {
    const mute = createServer(() => undefined);
    const port = await new Promise<number>((listening) => {
      mute.listen(0, "127.0.0.1", () => listening((mute.address() as { port: number }).port));
    });
    const smtp = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: "a@b.test", host: "b.test", connections: 3 });
    expect((await smtp.send(MAIL)).outcome).toBe("failed");
    mute.close();
  });
});

describe("folder", () => {
  test("keeps what the HTTP provider would get and the HTML, readable by the owner only; prints the text", async () => {
    const printed: string[] = [];
    const folder = folderMail({ directory, from: "a@b.test", print: (text) => printed.push(text) });
    expect(await folder.send(MAIL)).toEqual({ outcome: "sent" });
    expect(readdirSync(directory).sort()).toEqual([`${MAIL.id}.html`, `${MAIL.id}.json`]);
    const { to, subject, text, html } = MAIL;
    const kept = JSON.parse(readFileSync(join(directory, `${MAIL.id}.json`), "utf8"));
    const headers = { "Auto-Submitted": "auto-generated" };
    expect(kept).toEqual({ from: "a@b.test", to: [to], subject, text, html, headers });
    expect(printed[0]).toContain("  | 123456\n");
  });

  test("keeps the newest 400 files", async () => {
    const folder = folderMail({ directory, from: "a@b.test", print: () => undefined });
    for (let index = 0; index < 405; index += 1) writeFileSync(join(directory, `000-${index}.html`), "");
    await folder.send(MAIL);
    const names = readdirSync(directory);
    expect(names).toHaveLength(400);
    expect(names).toContain(`${MAIL.id}.json`);
  });

  test("answers failed where it may not write", async () => {
    const file = join(directory, "a-file");
    writeFileSync(file, "");
    const folder = folderMail({ directory: join(file, "below"), from: "a@b.test", print: () => undefined });
    expect((await folder.send(MAIL)).outcome).toBe("failed");
  });
});

describe("templates", () => {
  test("speak every language of the service", () => {
    expect([...emailTemplates().locales].sort()).toEqual([...LANGUAGES].sort());
  });

  test.each([
    ["de", "Ihr"],
    ["de-at", "Ihr"],
    ["en-gb", "Your"],
    ["sv", "Your"],
    [null, "Your"],
    ["../../etc", "Your"],
  ])("take the language nearest to %p", (locale, start) => {
    expect(emailTemplates().render("email_code", locale, CODE).subject).toStartWith(start);
  });

  test("of a region or script are found in any letter case, before those of the language alone", () => {
    for (const language of ["sr-RS", "zh-Hans"]) {
      mkdirSync(join(directory, language));
      writeFileSync(join(directory, language, "email_code.txt"), `Subject: In ${language}\n\n{{code}}\n`);
      writeFileSync(join(directory, language, "email_code.html"), "{{code}}");
    }
    const { render } = emailTemplates(directory);
    const subjects = ["sr-rs", "sr-RS", "sr", "zh-hans-cn"].map((locale) => render("email_code", locale, CODE).subject);
    expect(subjects).toEqual(["In sr-RS", "In sr-RS", expect.stringContaining("Your"), "In zh-Hans"]);
  });

  test("escape names in HTML, not in text, and let none add a header (G19)", () => {
    const name = '<img src=x onerror=alert(1)> & "Ann"';
    const mail = emailTemplates().render("email_code", "en", { ...CODE, name });
    expect(mail.text).toContain(`Hello ${name},`);
    expect(mail.html).not.toContain("<img");
    expect(mail.html).toContain("&lt;img");
    mkdirSync(join(directory, "en"));
    writeFileSync(join(directory, "en/email_code.txt"), "Subject: For {{name}}\n\n{{code}}\n");
    const named = emailTemplates(directory).render("email_code", "en", {
      ...CODE,
      name: "A\r\nBcc: b@c.test",
    });
    expect(named.subject).toBe("For A Bcc: b@c.test");
  });

  test("have the code on a line of its own, in every language, and in the HTML", () => {
    const templates = emailTemplates();
    for (const locale of templates.locales) {
      const mail = templates.render("email_code", locale, CODE);
      expect(mail.text).toMatch(/^123456$/m);
      expect(mail.html).toContain(">123456<");
      expect(mail.html).not.toContain("{{");
    }
  });

  test("give way to an operator's, file by file, and in a language of the operator's own", () => {
    mkdirSync(join(directory, "en"));
    mkdirSync(join(directory, "sv"));
    writeFileSync(join(directory, "layout.html"), "<main>{{{content}}}</main>");
    writeFileSync(join(directory, "en/email_code.html"), "<b>{{code}}</b>");
    writeFileSync(join(directory, "sv/email_code.txt"), "Subject: Din kod\r\n\r\n{{code}}\r\n");
    const halfway = emailTemplates(directory);
    expect(halfway.render("email_code", "en", CODE)).toMatchObject({
      subject: "Your sign-in code for acme.test",
      html: "<main><b>123456</b></main>",
    });
    expect(halfway.render("email_code", "sv", CODE).subject).toStartWith("Your");
    writeFileSync(join(directory, "sv/email_code.html"), "<i>{{code}}</i>");
    const whole = emailTemplates(directory);
    expect(whole.render("email_code", "sv-fi", CODE)).toMatchObject({ subject: "Din kod", text: "123456\n" });
  });

  test("stop the start when one does not parse or has no subject, and say which", () => {
    mkdirSync(join(directory, "en"));
    writeFileSync(join(directory, "en/email_code.txt"), "no subject\n");
    expect(() => emailTemplates(directory)).toThrow("en/email_code.txt");
    writeFileSync(join(directory, "en/email_code.txt"), "Subject: x\n\n{{#open}}\n");
    expect(() => emailTemplates(directory)).toThrow("en/email_code.txt");
    expect(() => emailTemplates(join(directory, "missing"))).toThrow();
  });
});
