/** The address of the initial owner (docs/contract.md, section 36.1). */
import { expect, test } from "bun:test";
import type { Config } from "../../../../src/config/config.ts";
import { permitAddress } from "../../../../src/flows/steps/authorization/protected-users.ts";

const deps = { config: { initialOwnerEmail: "Owner@Example.com" } as Config };

test("Neither a program nor a platform admin gives control of the address of the initial owner (G493).", () => {
  for (const role of [null, "viewer", "admin"] as const) {
    expect(permitAddress(deps, { role }, "owner@example.com").ok).toBe(false);
    expect(permitAddress(deps, { role }, "other@example.com").ok).toBe(true);
  }
  expect(permitAddress(deps, { role: "owner" }, "owner@example.com").ok).toBe(true);
  expect(permitAddress({ config: {} as Config }, { role: null }, "owner@example.com").ok).toBe(true);
});
