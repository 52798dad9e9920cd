/** A replica that crashes between the steps of single sign-on, with Redis emptied (G170). */
import { expect, test } from "bun:test";
import Redis from "ioredis";
import { deploySso, SsoBrowser } from "../support/sso.ts";
import { offeredLink, runIntent } from "../support/sso-intents.ts";
import { memberWith } from "../support/team.ts";

test("A sign-in and a link continue on the other replica after kill -9 between their steps.", async () => {
  const { at, forged } = await deploySso();
  const owner = await memberWith(at, forged.organizationId, "owner");
  const own = { sub: "crash-owner", email: "owner@elsewhere.test" };
  forged.provider.claims = own;
  const offered = await runIntent(owner.client, forged.connectionId, { intent: "link" });
  const browser = new SsoBrowser(at.one.url);
  const authorization = await browser.begin(forged.connectionId);
  forged.provider.claims = { sub: "crash-member", email: `crash@${forged.domain}` };
  const callback = await browser.visit(authorization);
  await at.one.kill();
  const redis = new Redis(at.redis.url);
  await redis.flushall();
  redis.disconnect();
  const [surviving, path] = [browser.client.at(at.other.url), `${callback.pathname}${callback.search}`];
  const signedIn = await surviving.get(path, { headers: { accept: "application/json" } });
  expect([signedIn.status, signedIn.body.status]).toEqual([200, "success"]);
  const replayed = await surviving.get(path, { headers: { accept: "application/json" } });
  expect(replayed.status).toBe(401);
  const elsewhere = owner.client.at(at.other.url);
  const confirmed = await elsewhere.post(`/v1/users/me/sso-links/${offeredLink(offered)}/confirm`);
  expect([confirmed.status, confirmed.body.subject]).toEqual([201, own.sub]);
});
