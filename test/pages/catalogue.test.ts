/** Pages, routes, documentation and tests name the same paths. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { routePrefix } from "../../src/config/parsers.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const namesIn = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });

/** Every page of docs/pages.md. */
const PAGES = [
  "/",
  "/sign-in",
  "/sign-in/code",
  "/sign-in/challenge",
  "/auth/continue",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/change-email",
  "/undo-email",
  "/sign-in/not-me",
  "/cancel-deletion",
  "/accept-invitation",
  "/sign-out",
  "/language",
  "/account",
  "/account/picture",
  "/account/password",
  "/account/email",
  "/account/export",
  "/account/delete",
  "/account/security",
  "/account/security/unlink",
  "/account/password/remove",
  "/account/security/confirm",
  "/account/security/authenticator",
  "/account/security/authenticator/off",
  "/account/security/recovery-codes",
  "/account/applications",
  "/account/applications/confirm",
  "/oauth2/authorize",
  "/oauth2/interaction",
  "/oauth2/consent",
  "/oauth2/logout",
  "/step-up",
  "/team",
  "/team/confirm",
  "/team/brand",
  "/team/brand/logo",
  "/team/brand/logo-dark",
  "/team/single-sign-on",
  "/team/single-sign-on/confirm",
  "/team/delete",
  "/team/sessions",
  "/admin",
  "/admin/organizations",
  "/admin/organizations/export",
  "/admin/organizations/new",
  "/admin/organizations/:id",
  "/admin/organizations/:id/confirm",
  "/admin/users",
  "/admin/users/export",
  "/admin/users/new",
  "/admin/users/:id",
  "/admin/users/:id/confirm",
  "/admin/deletions",
  "/admin/deletions/new",
  "/admin/providers",
  "/admin/providers/:provider",
  "/admin/oauth-clients",
  "/admin/oauth-clients/export",
  "/admin/oauth-clients/new",
  "/admin/oauth-clients/:id",
  "/admin/oauth-clients/:id/confirm",
  "/admin/oauth-clients/:id/connect",
  "/admin/oauth-clients/:id/brand",
  "/admin/oauth-clients/:id/brand/logo",
  "/admin/oauth-clients/:id/brand/logo-dark",
  "/admin/resources",
  "/admin/resources/export",
  "/admin/resources/new",
  "/admin/resources/:id",
  "/admin/resources/:id/scope",
  "/admin/resources/:id/confirm",
  "/admin/flags",
  "/admin/flags/export",
  "/admin/flags/edit",
  "/admin/machines",
  "/admin/machines/confirm",
  "/admin/emails",
  "/admin/emails/:kind",
  "/admin/emails/:kind/html",
  "/admin/audit",
  "/admin/audit/export",
  "/admin/requests",
  "/admin/requests/:request_id",
  "/machines",
  "/machines/confirm",
  "/error",
  "/assets/:file",
  "/favicon.ico",
  "/apple-touch-icon.png",
  "/.well-known/change-password",
  "/dev/mail",
  "/dev/mail/:id",
];

/**
 * Returns the paths that pages declare: `path: "…"`, a constant in place of the literal, and the two confirmation
 * pages.
 */
function declared(): string[] {
  const texts = namesIn("src/pages")
    .filter((name) => /\.tsx?$/.test(name) && !/^(?:(?:components|islands|texts)\/|cookies\.ts$)/.test(name))
    .map((name) => read(`src/pages/${name}`));
  const shared = texts.join("\n");
  return texts.flatMap((source) => {
    const literal = [...source.matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path);
    const named = [...source.matchAll(/\bpath: (?:([A-Z_]+)|`\$\{([A-Z_]+)\}([^`$]*)`),/g)].map(
      ([, constant, prefix = constant, rest = ""]) => {
        const own = new RegExp(`^(?:export )?const ${prefix} = "([^"]+)"`, "m");
        return `${own.exec(source)?.[1] ?? own.exec(shared)?.[1] ?? `unknown ${prefix}`}${rest}`;
      },
    );
    const asked = [...source.matchAll(/confirmPage\(deps, "([^"]+)"/g)].map(([, place]) => `${place}/confirm`);
    return [...literal, ...named, ...asked];
  });
}

describe("the catalogue of pages", () => {
  test("equals the paths that are declared", () => {
    expect([...new Set(declared())].sort()).toEqual([...PAGES].sort());
  });

  test("equals the table of docs/pages.md", () => {
    const rows = [...read("docs/pages.md").matchAll(/^\| `(\/[^`]*)` \|/gm)].map(([, path = ""]) => path);
    expect(rows.sort()).toEqual([...PAGES].sort());
  });

  test("has no address with a result: reload, history and bookmarks would repeat the result (seeResult)", () => {
    const sources = namesIn("src/pages").filter((name) => /\.tsx?$/.test(name));
    expect(sources.filter((name) => /[?&]done=/.test(read(`src/pages/${name}`)))).toEqual([]);
  });

  test("leaves no path that SERVICE_ROUTE_PREFIX could take", () => {
    const places = PAGES.filter((path) => path !== "/" && path !== "/auth/continue");
    for (const place of places) expect(() => routePrefix(place.replace(/:.*/, "x"))).toThrow();
  });

  test("has a test for every page", () => {
    const tests = namesIn("test/pages")
      .filter((name) => name !== "catalogue.test.ts")
      .map((name) => read(`test/pages/${name}`))
      .join("\n");
    // A function in the test may write the last parameter of a path.
    const patternOf = (path: string) => new RegExp(path.replace(/:\w+$/, "").replace(/:\w+/, '[^"\\s]+'));
    const untested = PAGES.filter((path) => !patternOf(path).test(tests));
    expect(untested).toEqual([]);
  });
});
