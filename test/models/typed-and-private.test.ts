/** What people type and what private networks name (docs/contract.md, sections 23.2 and 23.15). */
import { describe, expect, test } from "bun:test";
import { redirectUriFlaw } from "../../src/models/oauth-client/redirect-uri.ts";
import { readUserCode } from "../../src/models/oauth-device/user-code.ts";

describe("the code of a device", () => {
  test.each([
    "WDJB-MJHT",
    "wdjbmjht",
    " w d j b  m j h t ",
    "WDJB\u2014MJHT",
    "WDJB\u2013MJHT",
    "WDJB\u2212MJHT",
    "WDJB.MJHT",
    "\u200bWDJB\u00a0MJHT\t\n",
    "\uff37\uff24\uff2a\uff22\uff0d\uff2d\uff2a\uff28\uff34",
    "Code: WDJB-MJHT",
    "\u30b3\u30fc\u30c9\uff1aWDJB-MJHT",
  ])("%j is read", (typed) => {
    expect(readUserCode(typed)).toBe("WDJBMJHT");
  });

  test.each(["WDJB-MJH", "WDJB-MJHTX", "WDJB-MJHA", ""])("%j is no code", (typed) => {
    expect(readUserCode(typed)).toBeUndefined();
  });
});

describe("http in a private network (SERVICE_OAUTH_PRIVATE_HTTP)", () => {
  test.each([
    "http://192.168.1.10:8123/callback",
    "http://10.0.0.5/callback",
    "http://172.31.0.1/callback",
    "http://grafana.lan:3000/login",
    "http://argocd.argocd.svc.cluster.local/callback",
    "http://nas/callback",
    "http://[fd00::1]/callback",
  ])("%s is accepted with the setting alone", (uri) => {
    expect([redirectUriFlaw(uri, "web", true), redirectUriFlaw(uri, "web")?.rule]).toEqual([undefined, "not_allowed"]);
  });

  test.each([
    "http://app.example.test/callback",
    "http://172.32.0.1/callback",
    "http://8.8.8.8/callback",
    "http://[2001:db8::1]/callback",
    "http://lan.example.com/callback",
  ])("%s is never accepted", (uri) => {
    expect(redirectUriFlaw(uri, "web", true)?.rule).toBe("not_allowed");
  });
});
