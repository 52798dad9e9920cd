import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { searchEverything } from "../../../src/flows/directories/search-everything.ts";
import { flowDirectory } from "../../support/flow-directory.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

const PARAMETERS = {
  startIndex: undefined,
  count: undefined,
  cursor: undefined,
  filter: undefined,
  attributes: [],
  excludedAttributes: [],
};
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Admits as many lists, and refuses further lists. */
function listsAdmitted(admitted: number): Flows["deps"]["directoryRequests"] {
  let left = admitted;
  const { directoryRequests } = flows.deps;
  return {
    ...directoryRequests,
    list(organizationId, work) {
      left -= 1;
      return left < 0 ? undefined : directoryRequests.list(organizationId, work);
    },
  };
}

describe("a search of users and groups together", () => {
  test("is refused if either list is refused: no result has lost the groups", async () => {
    const caller = await (await flowDirectory(flows)).callerOf();
    const statuses: (number | "ok")[] = [];
    for (const admitted of [2, 1, 0]) {
      const deps = { ...flows.deps, directoryRequests: listsAdmitted(admitted) };
      const found = await searchEverything(deps, caller, PARAMETERS);
      statuses.push(found.ok ? "ok" : found.error.status);
    }
    expect(statuses).toEqual(["ok", 429, 429]);
  });
});
