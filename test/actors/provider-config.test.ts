import { describe, expect, test } from "bun:test";
import { step } from "../../src/actors/replicated-provider-config.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { sealingKey } from "../../src/base/seal.ts";
import { type ProviderRow, resolveProviders, sealSecret } from "../../src/models/provider-config/provider-config.ts";

const key = sealingKey(Buffer.alloc(32, 7));
const configKeys = { current: key, previous: [] };
const random = systemRandom(systemClock);

function row(revision: number, change: Partial<ProviderRow> = {}): ProviderRow {
  return {
    provider: "oauth_idp_a",
    enabled: true,
    publicConfig: { client_id: `of revision ${revision}` },
    sealedSecret: sealSecret({ random }, key, "oauth_idp_a", "a client secret"),
    keyId: key.id,
    revision,
    updatedAt: new Date(0),
    ...change,
  };
}

const environment = { oauth_idp_a: { publicConfig: { client_id: "of the environment" }, secret: "its secret" } };
const read = (rows: ProviderRow[]) => resolveProviders(rows, configKeys, environment);
const clientId = (states: ReturnType<typeof read>) => states.oauth_idp_a.inUse?.publicConfig.client_id;

describe("what a replica holds of the providers", () => {
  test("a stale load overwrites no newer state at any time of arrival", () => {
    const held = step(read([row(1)]), read([row(3)]));
    expect(clientId(held)).toBe("of revision 3");
    expect(step(held, read([row(2)]))).toEqual(held);
    expect(step(held, read([]))).toEqual(held);
  });

  test("an unchanged provider stays the same object, so no metadata are read anew", () => {
    const held = step(read([]), read([row(1)]));
    expect(step(held, read([row(1)])).oauth_idp_a.inUse).toBe(held.oauth_idp_a.inUse);
  });

  test("the environment counts without a row and where the row cannot be applied; a disabled row is off", () => {
    expect(clientId(read([]))).toBe("of the environment");
    expect(clientId(read([row(1)]))).toBe("of revision 1");
    const unreadable = read([row(1, { keyId: "another key" })]);
    expect([clientId(unreadable), unreadable.oauth_idp_a.view.degraded]).toEqual(["of the environment", true]);
    const incomplete = read([row(1, { publicConfig: {} })]);
    expect([clientId(incomplete), incomplete.oauth_idp_a.view.degraded]).toEqual(["of the environment", true]);
    const off = read([row(1, { enabled: false })]);
    expect([clientId(off), off.oauth_idp_a.view.degraded]).toEqual([undefined, false]);
  });
});
