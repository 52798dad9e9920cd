/** Display names contain no links, line breaks or invisible characters, at every endpoint that accepts a name. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cleanName, normalizeName } from "../../src/base/display-name.ts";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { emailTemplates, INVITE_LINK, VERIFY_LINK } from "../support/mail.ts";
import { platformUser } from "../support/platform.ts";
import { accept, founded, invite, invited } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

describe("a name", () => {
  test.each([
    "Node.js Fans",
    "Node.js/Deno",
    "A. B. Smith",
    "Acme Co.",
    "C++/Rust",
    "and/or",
    "24/7 Support",
    "S.p.A./Srl",
    "Booking.com",
    "Is it Yahoo.com?",
    "Dr. Müller/Schmidt",
    "Acme: The Company",
    "O'Neil & Söhne \\ Partner",
    "ann@example.com",
    "株式会社",
    "日本。株式会社",
    "葛\u{E0100}城",
    "می\u200Cخواهم",
    "क्\u200Dष",
    "👩\u200D💻 & 🏳️\u200D🌈",
    "1️⃣ First",
  ])("may be %p", (name) => {
    expect(normalizeName(name)).toBe(name);
  });

  test.each([
    "http://evil.example",
    "Prize: HTTPS://evil.example/claim",
    "ftp://a",
    "//evil.example",
    "https:\\\\evil.example",
    "\\\\server\\share",
    "mailto:ann@evil.example",
    "www.evil.example",
    "go to WWW.evil.example now",
    "ｗｗｗ．evil.example",
    "ｈｔｔｐ：／／evil.example",
    "http:⁄⁄evil.example",
    "evil.example/login",
    "evil。example/login",
    "evil.example./login",
    "evil.example?id=1",
    "evil.example#a",
    "evil.example:8080",
    "evil.xn--p1ai/x",
    "asp.net/c",
  ])("is not %p, which mail clients make a link of", (name) => {
    expect(normalizeName(name)).toBeUndefined();
    expect(cleanName(name)).toBeUndefined();
  });

  test.each([
    ["a line feed", "a\nb"],
    ["a carriage return", "a\rb"],
    ["a tab", "a\tb"],
    ["NEL", "a\u0085b"],
    ["a line separator", "a\u2028b"],
    ["a right-to-left override", "a\u202Eb"],
    ["a right-to-left isolate", "a\u2067b\u2069"],
    ["a right-to-left mark", "a\u200Fb"],
    ["an Arabic letter mark", "a\u061Cb"],
    ["a zero-width space", "a\u200Bb"],
    ["a word joiner", "a\u2060b"],
    ["a byte order mark", "a\uFEFFb"],
    ["a soft hyphen", "a\u00ADb"],
    ["a tag character", "a\u{E0041}b"],
    ["a combining grapheme joiner", "a\u034Fb"],
    ["a Hangul filler", "a\u3164b"],
    ["a joiner between Latin letters", "a\u200Db"],
    ["a non-joiner between Latin letters", "a\u200Cb"],
    ["a variation selector after a Latin letter", "a\uFE0Fb"],
    ["an escape character", "a\u001B[31mb"],
  ])("has no %s; a name from a provider is cleaned", (_, name) => {
    expect(normalizeName(name)).toBeUndefined();
    expect(cleanName(name)).toMatch(/^a ?\[?(31m)?b$/);
  });

  test("from a provider is cut to length, and absent if empty", () => {
    expect(cleanName(`${"👩\u200D💻".repeat(30)}${"x".repeat(100)}`)).toHaveLength(30 * 5 + 30);
    expect(cleanName("👩\u200D💻".repeat(50))).toBe("👩\u200D💻".repeat(40));
    expect(cleanName(`x${"👩\u200D💻".repeat(50)}`)).toBe(`x${"👩\u200D💻".repeat(39)}👩`);
    expect(cleanName("\u200B\u00AD \n")).toBeUndefined();
  });
});

describe("400 invalid_input for such names", () => {
  const NAMES = [
    "see http://evil.example",
    "www.evil.example",
    "evil.example/x",
    "a\u202Eb",
    "a\nb",
    "a\u200Bb",
    "a\ud800b",
  ];

  test.each(NAMES)("%p, of organizations, users, passkeys and browsers", async (name) => {
    const host = await founded(at);
    const admin = (await platformUser(at, "admin")).client;
    const { token } = await invited(at, host.client, host.organizationId);
    const fresh = { email: newEmail(), password: PASSWORD };
    const provision = { owner_email: newEmail(), owner_password: PASSWORD };
    for (const response of [
      await new Client(at.one.url).post("/v1/auth/register", { ...fresh, organization_name: name }),
      await new Client(at.one.url).post("/v1/auth/register", { ...fresh, organization_name: "A", display_name: name }),
      await host.client.patch("/v1/users/me", { display_name: name }),
      await host.client.post("/v1/auth/trusted-browsers", { name }),
      await host.client.post("/v1/users/me/passkeys/register/complete", { credential: {}, name }),
      await accept(new Client(at.one.url), token, { password: PASSWORD, display_name: name }),
      await admin.post("/v1/admin/orgs", { ...provision, organization_name: name }),
      await admin.post("/v1/admin/orgs", { ...provision, organization_name: "A", owner_display_name: name }),
      await admin.patch(`/v1/admin/orgs/${host.organizationId}`, { name }),
    ]) {
      expect([response.status, response.body?.error.code]).toEqual([400, "invalid_input"]);
    }
  });
});

describe("the email of an invitation (G41)", () => {
  test("names the organization in quotes among the service's own words, whatever its name holds", async () => {
    const name = `Acme" at localhost: ${"verify your account, ".repeat(4)}`;
    const host = await registered(at.one.url, { organization_name: name, display_name: "<b>Ann</b>" });
    const { email } = await invited(at, host.client, host.organizationId);
    const [mail] = await at.mail.mailsTo(email, INVITE_LINK);
    expect(mail?.subject).toMatch(/^Invitation to join “Acme' at localhost: [^”]{1,50}…” at localhost$/);
    expect(mail?.subject).not.toContain("Ann");
    expect(mail?.html).toContain("&lt;b&gt;Ann&lt;");
    expect(mail?.html).not.toContain("<b>Ann");
  });

  test("shows no name with a link of an older version, and no address as a name", async () => {
    const host = await registered(at.one.url, { email: `www.evil.example/${newEmail()}` });
    await at.sql`update organizations set name = E'x\nhttp://evil.example' where id = ${host.organizationId}`;
    const guest = newEmail();
    expect((await invite(host.client, host.organizationId, guest)).status).toBe(201);
    const [mail] = await at.mail.mailsTo(guest, INVITE_LINK);
    expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain("evil.example");
    const [row] = await at.sql`select slug from organizations where id = ${host.organizationId}`;
    expect(mail?.subject).toBe(`Invitation to join “${row?.slug}” at localhost`);
  });

  test.each(["Booking.com", "call +49 30 1234567 now", "ann@evil.example", "Acme。example"])(
    "shows the slug in place of %p, and no such name of its sender",
    async (name) => {
      const host = await registered(at.one.url, { organization_name: name, display_name: name });
      const { email } = await invited(at, host.client, host.organizationId);
      const [mail] = await at.mail.mailsTo(email, INVITE_LINK);
      expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain(name);
      const [row] = await at.sql`select slug from organizations where id = ${host.organizationId}`;
      expect(mail?.text).toContain(`${row?.slug} invited you to join ${row?.slug} at`);
    },
  );

  test("keeps quotes and length of names within bounds in every language", () => {
    const templates = emailTemplates(undefined, { name: "Acme Sign-in" });
    const values = { link: "l", organization_name: `${"x".repeat(70)}“”„"`, inviter_name: "Ann", days: 7, name: null };
    for (const locale of templates.locales) {
      const { subject } = templates.render("invitation", locale, values);
      expect(subject).toContain(`${"x".repeat(59)}…`);
      expect(subject).toContain("Acme Sign-in");
      const quoted = templates.render("invitation", locale, {
        ...values,
        organization_name: '“„"',
      });
      expect(quoted.subject).toContain("'''");
    }
  });
});

describe("the greeting of an email (G92)", () => {
  const greetingTo = async (display_name: string) => {
    const email = newEmail();
    const fields = { organization_name: "Acme", email, password: PASSWORD, display_name };
    await new Client(at.one.url).post("/v1/auth/register", fields);
    const [mail] = await at.mail.mailsTo(email, VERIFY_LINK);
    return /^Hello.*$/m.exec(mail?.text ?? "")?.[0];
  };

  test.each([
    ["Ann", "Hello Ann,"],
    ["Anna Maria von Berg", "Hello Anna Maria von Berg,"],
    ["Go to evil.example", "Hello,"],
    ["Call 0800 1234567", "Hello,"],
    ["Your account is locked: reply with your password", "Hello,"],
  ])("of an address whose owner has proven nothing, for a registration as %p, is %p", async (name, greeting) => {
    expect(await greetingTo(name)).toBe(greeting);
  });
});
