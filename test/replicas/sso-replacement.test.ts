/** Replicas that are replaced while employees sign in by single sign-on (G275). */
import { expect, test } from "bun:test";
import { race } from "../support/deployment.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { respondTo } from "../support/saml/responses.ts";
import { activeSamlCompany, postResponse, SamlBrowser } from "../support/saml/saml-browser.ts";
import { deploySso, SsoBrowser } from "../support/sso.ts";
import { until } from "../support/waiting.ts";

/** Half of the browsers sign in by each protocol. */
const BROWSERS = 4;
/** The sign-ins of each protocol after each change. */
const SIGN_INS = 6;
/** A replica that drains accepts no connection, and closes idle connections. */
const CLOSED = ["ECONNREFUSED", "ECONNRESET"];
const ACCEPTS_JSON = { headers: { accept: "application/json" } };

test("Sign-ins succeed while every replica is replaced and the service key of a connection is promoted.", async () => {
  const { at, acme } = await deploySso();
  const saml = await activeSamlCompany(at);
  const balancer = new Balancer([at.one, at.other]);
  const signedIn = [0, 0];
  const failures: unknown[] = [];
  let isOver = false;
  const browsers = race(async (index) => {
    const login = `replaced-${index}`;
    acme.provider.people.set(login, { email: `${login}@${acme.domain}`, email_verified: true });
    const signIn = () =>
      index % 2
        ? signInBySaml(balancer, saml.connectionId, `${login}@${saml.domain}`)
        : signInByOpenid(balancer, acme.connectionId, login);
    while (!isOver) {
      const outcome = await signIn().catch(String);
      if (outcome === "success") signedIn[index % 2] = (signedIn[index % 2] ?? 0) + 1;
      else failures.push(outcome);
    }
  }, BROWSERS);
  const furtherSignIns = async () => {
    const goals = signedIn.map((count) => count + SIGN_INS);
    const areReached = () => goals.every((goal, protocol) => (signedIn[protocol] ?? 0) >= goal);
    await until("further sign-ins", async () => failures.length > 0 || areReached());
  };

  await furtherSignIns();
  for (const old of [at.one, at.other]) {
    balancer.replace(old, await startReplica(at.settings));
    expect(await old.stop()).toBe(0);
    await furtherSignIns();
  }
  for (const change of ["", "/promote"]) {
    const { status } = await balancer.send((url) => saml.owner.at(url).post(`${saml.item}/service-key${change}`));
    expect(status).toBeLessThan(300);
    await furtherSignIns();
  }
  isOver = true;
  await browsers;
  expect(failures).toEqual([]);
});

/** Each step reaches the next replica. */
async function signInBySaml(balancer: Balancer, connectionId: string, email: string): Promise<string> {
  const { browser, request } = await balancer.send(async (url) => {
    const browser = new SamlBrowser(url);
    return { browser, request: await browser.request(connectionId) };
  });
  const form = { SAMLResponse: respondTo(request, email), RelayState: request.relayState };
  const { location } = await balancer.send((url) => postResponse(url, connectionId, form));
  const { body, text } = await balancer.send((url) => browser.arrive(location, url));
  return body?.status ?? text;
}

async function signInByOpenid(balancer: Balancer, connectionId: string, login: string): Promise<string> {
  const { browser, authorization } = await balancer.send(async (url) => {
    const browser = new SsoBrowser(url);
    return { browser, authorization: await browser.begin(connectionId) };
  });
  const { pathname, search } = await browser.visit(authorization, login);
  const { body, text } = await balancer.send((url) => browser.client.at(url).get(pathname + search, ACCEPTS_JSON));
  return body?.status ?? text;
}

/**
 * Sends each request to the next replica, and a request that a stopped replica did not accept to another one. A request
 * that the stopped replica had accepted would be refused there: each step counts once.
 */
class Balancer {
  #replicas: readonly Replica[];
  #turn = 0;

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas;
  }

  replace(old: Replica, fresh: Replica): void {
    this.#replicas = this.#replicas.map((each) => (each === old ? fresh : each));
  }

  async send<T>(request: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      this.#turn += 1;
      const replica = this.#replicas[this.#turn % this.#replicas.length] as Replica;
      try {
        return await request(replica.url);
      } catch (error) {
        const isClosed = error instanceof Error && "code" in error && CLOSED.includes(String(error.code));
        if (!isClosed || this.#replicas.includes(replica)) throw error;
      }
    }
  }
}
