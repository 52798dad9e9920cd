/** `npm run test:openid-idps`: real identity providers by OpenID Connect, in Chromium and without scripts. */
import { beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/waiting.ts";
import { arrivesAt, type ConnectedCompany, connectOpenid, openCompany, sessionOf, testAndActivate } from "./company.ts";
import { startGlewlwyd } from "./glewlwyd.ts";
import type { OpenidProduct } from "./identity-provider.ts";
import { startLemonldapOpenid } from "./lemonldap-openid.ts";
import { type Pair, startPair } from "./pair.ts";
import { type Kind, type Visitor, visit } from "./visitor.ts";

/** The form of Glewlwyd is a script: the visitor sends the requests of the script. */
const CASES: readonly (readonly [string, Kind, () => Promise<OpenidProduct>])[] = [
  ["LemonLDAP::NG", "Chromium", startLemonldapOpenid],
  ["LemonLDAP::NG", "a program without scripts", startLemonldapOpenid],
  ["Glewlwyd", "Chromium", startGlewlwyd],
  ["Glewlwyd", "a program without scripts", startGlewlwyd],
];
const REPLICATED_MS = 5_000;

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});

describe.each([...CASES])("%s in %s:", (_, kind, start) => {
  let product: OpenidProduct;
  let acme: ConnectedCompany;
  let visitor: Visitor;

  beforeAll(async () => {
    product = await start();
    acme = await connectOpenid(pair, product, { mfa_trust: product.passwordValue ? [product.passwordValue] : "never" });
    visitor = await visit(kind, pair.origin);
  });

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
    // Glewlwyd asks for a confirmation, and for no password.
    if (await product.isAsking(visitor)) await product.signIn(visitor);
    await arrivesAt(pair, visitor, "/team");
  });

  test("a step-up asks the employee for the password again", async () => {
    if (!product.passwordValue) return;
    product.age();
    await visitor.open(`${pair.origin}/step-up?return_to=%2Fteam`);
    const session = await sessionOf(pair, product.email);
    await pair.sql`update sessions set mfa_verified_at = null where id = ${session?.id}`;
    await visitor.submit({});
    await product.signIn(visitor);
    await arrivesAt(pair, visitor, "/team");
    expect((await sessionOf(pair, product.email))?.mfa_verified_at).not.toBeNull();
  });

  test("a sign-out at the product ends the session here by its logout token, on both replicas", async () => {
    expect(await isSignedIn()).toBe(true);
    await product.signOut(visitor);
    if (product.sendsLogoutTokens) {
      await eventually("the pages refuse the session", REPLICATED_MS, async () => !(await isSignedIn()));
    }
    await openCompany(pair, visitor, acme);
    expect(await product.isAsking(visitor)).toBe(true);
  });
});
