/** `npm run test:saml-idps`: real identity providers by SAML 2.0, in Chromium and without scripts (G257). */
import { beforeAll, describe, expect, test } from "bun:test";
import { samlKey, samlKeys } from "../support/saml/keys.ts";
import { eventually } from "../support/waiting.ts";
import {
  arrivesAt,
  type ConnectedCompany,
  connectSaml,
  importService,
  openCompany,
  sessionOf,
  testAndActivate,
} from "./company.ts";
import type { SamlProduct } from "./identity-provider.ts";
import { startLemonldapSaml } from "./lemonldap.ts";
import { type Pair, startPair } from "./pair.ts";
import { startPhpProduct } from "./simplesamlphp.ts";
import { type Kind, type Visitor, visit } from "./visitor.ts";

/** A class that the products name for a sign-in by password: enough to try a step-up. */
const PASSWORD_CLASS = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
const PRODUCTS = [startPhpProduct, startLemonldapSaml] as const;
const KINDS: readonly Kind[] = ["Chromium", "a program without scripts"];
const REPLICATED_MS = 1_000;

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});

const cases = PRODUCTS.flatMap((start) => KINDS.map((kind) => [start.name, kind, start] as const));

describe.each(cases)("%s in %s:", (_, kind, start) => {
  let product: SamlProduct;
  let acme: ConnectedCompany;
  let visitor: Visitor;

  beforeAll(async () => {
    product = await start();
    acme = await connectSaml(pair, product, { mfa_trust: [PASSWORD_CLASS] });
    visitor = await visit(kind, pair.origin);
  });

  const signIn = async (browser = visitor, company = acme) => {
    await openCompany(pair, browser, company);
    if (await product.isAsking(browser)) await product.signIn(browser);
    await arrivesAt(pair, browser, "/team");
    const session = await sessionOf(pair, product.email);
    return String(session?.id);
  };
  const isSignedIn = async () => {
    await visitor.open(`${pair.origin}/team`);
    return visitor.url().pathname === "/team";
  };

  test("the test of the connection passes every check, and the connection is activated", async () => {
    const result = await testAndActivate(pair, kind, acme, product);
    expect(result.mapping.email).toBe(product.email);
  });

  test("an employee signs in over two replicas, and again with the session of the product", async () => {
    await openCompany(pair, visitor, acme);
    expect(await product.isAsking(visitor)).toBe(true);
    await product.signIn(visitor);
    await arrivesAt(pair, visitor, "/team");
    expect(await sessionOf(pair, product.email)).toMatchObject({ auth_method: "sso", organization_bound: true });
    await openCompany(pair, visitor, acme);
    expect(await product.isAsking(visitor)).toBe(false);
    await arrivesAt(pair, visitor, "/team");
  });

  test("a step-up asks the employee for the password again", async () => {
    product.age();
    await visitor.open(`${pair.origin}/step-up?return_to=%2Fteam`);
    const session = await sessionOf(pair, product.email);
    await pair.sql`update sessions set mfa_verified_at = null where id = ${session?.id}`;
    await visitor.submit({});
    // The sign-in needs the form, although the product has a session of the employee.
    await product.signIn(visitor);
    await arrivesAt(pair, visitor, "/team");
    expect((await sessionOf(pair, product.email))?.mfa_verified_at).not.toBeNull();
  });

  test("a sign-out everywhere ends the session of the product, and the product sends the employee back", async () => {
    await signIn();
    await visitor.open(`${pair.origin}/sign-out`);
    await visitor.submit({}, "everywhere=1");
    await arrivesAt(pair, visitor, "/sign-in");
    expect(visitor.url().search).not.toContain("only");
    await openCompany(pair, visitor, acme);
    expect(await product.isAsking(visitor)).toBe(true);
  });

  test("a sign-out at the product ends the session here, on both replicas", async () => {
    await signIn();
    expect(await isSignedIn()).toBe(true);
    await product.signOut(visitor);
    await eventually("the pages refuse the session", REPLICATED_MS, async () => !(await isSignedIn()));
  });

  test("a new certificate of the product fails no sign-in", async () => {
    const [old, next] = [samlKeys.idp(), samlKey(`next of ${product.name} in ${kind}`)];
    await product.useKeys([old, next]);
    await signIn();
    await product.useKeys([next, old]);
    await signIn(await visit(kind, pair.origin));
    await product.useKeys([next]);
    await signIn(await visit(kind, pair.origin));
  });

  test("a new key of the service fails no sign-in", async () => {
    const change = async (method: string, path: string) => {
      const { status } = await acme.owner.request(method, `${acme.item}/service-key${path}`);
      expect(status).toBeLessThan(300);
      await signIn(await visit(kind, pair.origin));
    };
    await change("POST", "");
    await importService(pair, acme, product);
    await change("POST", "/promote");
    await change("DELETE", "/previous");
    await importService(pair, acme, product);
    await signIn(await visit(kind, pair.origin));
  });

  test("encrypted assertions sign an employee in, also for the former key of the service", async () => {
    const globex = await connectSaml(pair, product, { encrypted_assertions: "required" });
    await testAndActivate(pair, kind, globex, product);
    await signIn(await visit(kind, pair.origin), globex);
    expect((await globex.owner.post(`${globex.item}/service-key`)).status).toBe(201);
    await importService(pair, globex, product);
    // The product encrypts for the first key of its copy of the metadata, from now on the former key.
    expect((await globex.owner.post(`${globex.item}/service-key/promote`)).status).toBe(200);
    await signIn(await visit(kind, pair.origin), globex);
  });
});
