/** Links and step-ups at the identity provider, in the browser of a session. */
import type { Answer, Client } from "./client.ts";
import { SsoBrowser } from "./sso.ts";

/** A browser with a session that began elsewhere. */
export function browserOf(client: Client): SsoBrowser {
  const browser = new SsoBrowser(client.baseUrl);
  Object.assign(browser.client, { jar: client.jar });
  return browser;
}

/** Starts a request with an intent. */
export async function startIntent(client: Client, connectionId: string, body: object): Promise<Answer> {
  return await client.post(`/v1/auth/sso/${connectionId}/start`, body);
}

/** From the start to the callback; `url`: the replica of the callback. */
export async function runIntent(
  client: Client,
  connectionId: string,
  body: object,
  url = client.baseUrl,
): Promise<Answer> {
  const browser = browserOf(client);
  const started = await startIntent(client, connectionId, body);
  if (started.status !== 302) return started;
  const callback = await browser.visit(started.headers.get("location") ?? "");
  return await client.at(url).get(`${callback.pathname}${callback.search}`);
}

/** The id of the link that waits for the confirmation, from the redirect of the callback. */
export function offeredLink(answer: Answer): string {
  const location = new URL(answer.headers.get("location") ?? "", "https://auth.example.test");
  return location.searchParams.get("link") ?? "";
}
