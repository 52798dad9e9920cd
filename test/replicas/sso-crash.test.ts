/** A replica that crashes between the steps of single sign-on, with Redis emptied (G166, G170). */
import { expect, test } from "bun:test";
import Redis from "ioredis";
import { respondTo } from "../support/saml/responses.ts";
import { activeSamlCompany, postResponse, SamlBrowser } from "../support/saml/saml-browser.ts";
import { deploySso, SsoBrowser, type SsoDeployment } from "../support/sso.ts";
import { offeredLink, runIntent } from "../support/sso-intents.ts";
import { memberWith } from "../support/team.ts";

test("Sign-ins and a link continue on the other replica after kill -9 between their steps.", async () => {
  const { at, forged } = await deploySso();
  const owner = await memberWith(at, forged.organizationId, "owner");
  const own = { sub: "crash-owner", email: "owner@elsewhere.test" };
  forged.provider.claims = own;
  const offered = await runIntent(owner.client, forged.connectionId, { intent: "link" });
  const browser = new SsoBrowser(at.one.url);
  const authorization = await browser.begin(forged.connectionId);
  forged.provider.claims = { sub: "crash-member", email: `crash@${forged.domain}` };
  const callback = await browser.visit(authorization);
  const saml = await acceptedResponse(at);
  await at.one.kill();
  const redis = new Redis(at.redis.url);
  await redis.flushall();
  redis.disconnect();
  const [surviving, path] = [browser.client.at(at.other.url), `${callback.pathname}${callback.search}`];
  const signedIn = await surviving.get(path, { headers: { accept: "application/json" } });
  expect([signedIn.status, signedIn.body.status]).toEqual([200, "success"]);
  const replayed = await surviving.get(path, { headers: { accept: "application/json" } });
  expect(replayed.status).toBe(401);
  const arrivals = [await saml.browser.arrive(saml.location, at.other.url), await saml.post(), await saml.arrive()];
  expect(arrivals.map(({ status }) => status)).toEqual([200, 303, 401]);
  const session = await saml.browser.client.at(at.other.url).get("/v1/auth/session");
  expect(session.body.user.email).toBe(saml.email);
  const elsewhere = owner.client.at(at.other.url);
  const confirmed = await elsewhere.post(`/v1/users/me/sso-links/${offeredLink(offered)}/confirm`);
  expect([confirmed.status, confirmed.body.subject]).toEqual([201, own.sub]);
});

/** A sign-in whose response has been accepted by the first replica, and whose browser has not arrived. */
async function acceptedResponse(at: SsoDeployment["at"]) {
  const company = await activeSamlCompany(at);
  const email = `crash@${company.domain}`;
  const browser = new SamlBrowser(at.one.url);
  const request = await browser.request(company.connectionId);
  const form = { SAMLResponse: respondTo(request, email), RelayState: request.relayState };
  const { location } = await postResponse(at.one.url, company.connectionId, form);
  const post = () => postResponse(at.other.url, company.connectionId, form);
  return { browser, location, email, post, arrive: () => browser.arrive(location, at.other.url) };
}
