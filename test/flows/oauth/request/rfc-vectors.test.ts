/**
 * The examples that RFC 8628, 9101, 9126 and 9470 print. Those of RFC 9449: `test/models/token/dpop-proof.test.ts`; of
 * requests: `test/http/oauth-par.test.ts` and `test/http/oauth-device.test.ts`.
 */
import { describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { challengeOf } from "../../../../clients/js/src/verifier/challenge.ts";
import { ok } from "../../../../src/base/result.ts";
import { type RequestObjectDeps, readRequestObject } from "../../../../src/flows/oauth/authorize/request-object.ts";
import { verifyClientJwt } from "../../../../src/flows/oauth/request/verify-client-jwt.ts";
import type { OAuthClient } from "../../../../src/models/oauth-client/oauth-client.ts";
import { displayedUserCode, readUserCode } from "../../../../src/models/oauth-device/user-code.ts";
import { RFC_8628, RFC_9101, RFC_9126, RFC_9470 } from "../../../support/rfc-vectors.ts";

const deps = {
  clock: { now: () => Date.now() },
  config: { urls: { publicBaseUrl: RFC_9101.claims.aud } },
  clientKeySets: {},
} as unknown as RequestObjectDeps;

const BY_RS256 = { type: "oauth-authz-req+jwt" as const, algorithms: ["RS256"] };

const clientOf = (key: JWK) =>
  ({
    id: RFC_9101.claims.client_id,
    keys: [key],
    jwksUri: null,
    requireSignedRequestObject: false,
  }) as unknown as OAuthClient;

const read = (key: JWK, request: string) =>
  readRequestObject(deps, {
    client: clientOf(key),
    search: new URLSearchParams({ client_id: RFC_9101.claims.client_id, request }),
    network: "203.0.113.1",
  });

describe.each([
  ["RFC 9101, section 4", RFC_9101],
  ["RFC 9126, section 3", RFC_9126],
])("the request object of %s", (_name, { object, key, claims }) => {
  test("has a valid signature by the printed key, and the printed claims", async () => {
    const client = clientOf(key);
    const network = "203.0.113.1";
    const verified = await verifyClientJwt(deps, { client, jwt: object, network }, BY_RS256);
    expect(verified).toMatchObject({ ok: true, value: { payload: claims } });
    const changed = `${object.slice(0, -4)}AAAA`;
    expect(await verifyClientJwt(deps, { client, jwt: changed, network }, BY_RS256)).toEqual(ok(undefined));
  });

  test("is refused by RS256 and without exp; signed by ES256 with a lifetime it gives its parameters", async () => {
    const printed = await read(key, object);
    expect(printed).toMatchObject({ ok: false, error: { oauth: "invalid_request_object" } });
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const now = Math.floor(Date.now() / 1000);
    const signed = await new SignJWT({ ...claims, nbf: now, exp: now + 60 })
      .setProtectedHeader({ alg: "ES256", typ: "oauth-authz-req+jwt" })
      .sign(privateKey);
    const { iss, aud, ...parameters } = claims;
    const accepted = await read(await exportJWK(publicKey), signed);
    const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
    expect(accepted.ok && Object.fromEntries(accepted.value.parameters)).toEqual(Object.fromEntries(texts));
    expect([iss, aud]).toEqual([RFC_9101.claims.iss, RFC_9101.claims.aud]);
  });
});

describe("user codes of RFC 8628, section 6.1", () => {
  test("the code of the example is read in any case and grouping, and displayed as printed", () => {
    const typed = ["WDJB-MJHT", "wdjb-mjht", "WDJBMJHT", " wdjb mjht ", "W-D-J-B-M-J-H-T"];
    expect(typed.map(readUserCode)).toEqual(typed.map(() => "WDJBMJHT"));
    expect(displayedUserCode("WDJBMJHT")).toBe(RFC_8628.userCode);
    expect(readUserCode(RFC_8628.numericUserCode)).toBeUndefined();
  });
});

describe("challenges of RFC 9470, section 3", () => {
  test.each([
    ["acr_values", { acr: "myACR" }, RFC_9470.level],
    ["max_age", { maxAge: 5 }, RFC_9470.age],
  ])("%s has the printed name and form", (_name, requirements, printed) => {
    const { challenge = "" } = challengeOf("Bearer", "insufficient_authentication", requirements as never, "x");
    const parameters = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect([challenge.split(" ")[0], parameters]).toEqual(["Bearer", { ...printed, resource_metadata: "x" }]);
  });
});
