/** The page of the device flow (docs/contract.md, section 23.15). */
import { beforeAll, describe, expect, test } from "bun:test";
import { DEVICE_GRANT } from "../../src/vocabulary/grant-type.ts";
import type { Answer } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { Browser, personWithBrowser, registerClient, sendForm, type TestClient } from "../support/oauth.ts";

let at: Deployment;
let cli: TestClient;
beforeAll(async () => {
  at = await deployment();
  cli = await registerClient({
    token_endpoint_auth_method: "none",
    grant_types: [DEVICE_GRANT],
    redirect_uris: [],
    first_party: false,
  });
});

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
}

async function codesOf(): Promise<Codes> {
  const answer = await sendForm(at.one.url, "/oauth2/device_authorization", { client_id: cli.id, scope: "openid" });
  if (answer.status !== 200) throw new Error(`the request returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

function poll({ device_code }: Codes): Promise<Answer> {
  return sendForm(at.other.url, "/oauth2/token", { grant_type: DEVICE_GRANT, client_id: cli.id, device_code });
}

describe("/device (G210)", () => {
  const heading = ({ text }: Answer) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1];

  test("a visitor signs in first; a code leads to the request with the refusal as first button", async () => {
    const codes = await codesOf();
    const stranger = await new Browser(at.one.url).get("/device");
    expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/v1/auth/continue?to=%2Fdevice"]);
    const { browser } = await personWithBrowser();
    const { answer, path } = await browser.submit("/device", { step: "code", user_code: codes.user_code });
    expect([heading(answer), path]).toEqual([
      "Sign in to Wiki on a device",
      expect.stringMatching(/^\/device\?request=/),
    ]);
    expect(answer.text).toContain("If someone sent you this code, stop here.");
    expect(answer.text.indexOf('value="deny"')).toBeLessThan(answer.text.indexOf('value="approve"'));
    const request = new URLSearchParams(path.split("?")[1]).get("request") ?? "";
    const done = await browser.submit(path, { step: "approve", request });
    expect(heading(done.answer)).toBe("Device connected");
    expect((await poll(codes)).status).toBe(200);
  });

  test("a code in the address is displayed, and continues only with the confirmation of the user", async () => {
    const codes = await codesOf();
    const { browser } = await personWithBrowser();
    const path = `/device?user_code=${codes.user_code}`;
    const fields = { step: "compare", user_code: codes.user_code };
    const refused = await browser.submit(path, fields);
    expect(refused.answer.text).toContain("Confirm that you see this code on your device.");
    const confirmed = await browser.submit(path, { ...fields, seen: "yes" });
    expect(heading(confirmed.answer)).toBe("Sign in to Wiki on a device");
    const request = new URLSearchParams(confirmed.path.split("?")[1]).get("request") ?? "";
    const declined = await browser.submit(confirmed.path, { step: "deny", request });
    expect([heading(declined.answer), (await poll(codes)).body.error]).toEqual(["Device declined", "access_denied"]);
  });

  test("several devices wait in one browser, and each approval is for the device of its tab (G398)", async () => {
    const { browser } = await personWithBrowser();
    const devices = [await codesOf(), await codesOf(), await codesOf()];
    const open = ({ user_code }: Codes) => browser.submit("/device", { step: "code", user_code });
    const tabs = await Promise.all(devices.map(open));
    const decide = async (tab: number, step: "approve" | "deny") => {
      const { path } = tabs[tab] ?? { path: "" };
      const request = new URLSearchParams(path.split("?")[1]).get("request") ?? "";
      return heading((await browser.submit(path, { step, request })).answer);
    };
    expect(await decide(2, "approve")).toBe("Device connected");
    expect(await decide(0, "deny")).toBe("Device declined");
    const states = await Promise.all(devices.map(poll));
    expect(states.map(({ status, body }) => body.error ?? status)).toEqual([
      "access_denied",
      "authorization_pending",
      200,
    ]);
    expect(await decide(1, "approve")).toBe("Device connected");
  });

  test("an unknown code is named beside the field, and markup in a code is text", async () => {
    const { browser } = await personWithBrowser();
    const { answer } = await browser.submit("/device", { step: "code", user_code: "<b>" });
    expect(answer.text).toContain("No device is waiting with this code.");
    expect((await browser.get("/device?user_code=%3Cb%3E")).text).not.toContain("<b>");
  });
});
