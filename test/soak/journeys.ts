/**
 * Whole journeys of the soak, each to the end: sign-in with a passkey, with an authenticator app and through a company,
 * tokens of the provider, a directory, an API key. A wrong status is a failure.
 */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { testCertificate } from "../support/certificate.ts";
import { Client, registered } from "../support/client.ts";
import { directoryOf, userBody } from "../support/directories.ts";
import { OpenidProvider } from "../support/identity/openid-provider.ts";
import { codeOf, enrolled, passwordShown } from "../support/mfa.ts";
import { codeFor, exchange, introspectAt, personWithBrowser, refreshAt, registerClient } from "../support/oauth.ts";
import { addPasskey } from "../support/passkeys.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { announceConnections, clientOf, company, SsoBrowser } from "../support/sso.ts";
import { until } from "../support/waiting.ts";
import { expectStatus } from "./expect-status.ts";
import { prepareSignIns, type SignInServers } from "./sign-ins.ts";

export interface Place {
  readonly one: { readonly url: string };
  /** The database; a restart replaces the connection. */
  readonly sql: postgres.Sql;
  readonly redis: { readonly url: string };
}

export type Journey = () => Promise<void>;

/** Creates a client of the provider, a directory, an API key and a company, which the journeys share. */
export async function prepareJourneys(
  place: Place,
  servers: SignInServers,
): Promise<Readonly<Record<string, Journey>>> {
  const { url } = place.one;
  const at = place as never;
  const { client: admin } = await steppedUpAdmin(at, "owner");
  const application = await registerClient({}, admin);
  const directory = await directoryOf(at);
  const { key } = await keyOf(directory.client, accountsOf(directory.organizationId), ["audit.read"]);
  const connectionId = randomUUID();
  const provider = await OpenidProvider.start([clientOf(connectionId)], undefined, testCertificate());
  const { domain } = await company(at, connectionId, provider.issuer);
  const signIns = await prepareSignIns(place, servers);
  await announceConnections(place);
  await until("the connection is known", async () => {
    const path = `/v1/auth/sso/${connectionId}/start`;
    const starts = Array.from({ length: 4 }, () => fetch(`${url}${path}`, { redirect: "manual" }));
    return (await Promise.all(starts)).every(({ status }) => status !== 404);
  });

  return {
    ...signIns,
    async "passkey sign-in"() {
      const { client } = await registered(url);
      const { authenticator } = await addPasskey(client);
      const visitor = new Client(url);
      const begun = expectStatus(200, await visitor.post("/v1/auth/passkey/login/begin"));
      const credential = authenticator.get(begun.body.publicKey);
      expectStatus(200, await visitor.post("/v1/auth/passkey/login/complete", { credential }));
      expectStatus(204, await visitor.post("/v1/auth/logout"));
    },
    async "authenticator app sign-in"() {
      const person = await enrolled(at);
      const mfa_token = await passwordShown(url, person.email);
      const code = codeOf(person.secret);
      expectStatus(200, await new Client(url).post("/v1/auth/mfa/challenge", { mfa_token, code }));
    },
    async "single sign-on"() {
      const login = randomUUID();
      provider.people.set(login, { email: `${login}@${domain}`, email_verified: true });
      const browser = new SsoBrowser(url);
      expectStatus(200, await browser.enter(connectionId, login));
      provider.people.delete(login);
      expectStatus(200, await browser.client.get("/v1/auth/session"));
    },
    async "tokens of the provider"() {
      const { browser } = await personWithBrowser(at);
      const scope = "openid offline_access";
      const issued = expectStatus(
        200,
        await exchange(url, application, await codeFor(application, browser, { scope })),
      );
      const renewed = expectStatus(200, await refreshAt(url, application, issued.body.refresh_token));
      const seen = expectStatus(200, await introspectAt(url, application, renewed.body.access_token));
      if (seen.body.active !== true) throw new Error("a fresh token is inactive");
    },
    async directory() {
      const userName = directory.address(randomUUID());
      const created = expectStatus(201, await directory.scim("POST", "/Users", userBody(userName)));
      const path = `/Users/${created.body.id}`;
      expectStatus(200, await directory.scim("GET", path));
      expectStatus(204, await directory.scim("DELETE", path));
      expectStatus(404, await directory.scim("GET", path));
    },
    async "API key"() {
      expectStatus(200, await new Client(url).get("/v1/audit-logs?page_size=5", { bearer: key }));
    },
  };
}
