import { defineCommand } from "citty";
import { isUuid } from "../base/random.ts";
import { explainAnyRequest } from "../flows/operations/explain.ts";
import { withFoundation } from "./configured.ts";

export const explainCommand = defineCommand({
  meta: { name: "explain", description: "Say why a request was answered as it was" },
  args: {
    "request-id": { type: "positional", required: true, description: "X-Request-Id of the response" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    process.exitCode = await explain(args["request-id"], args.json === true);
  },
});

/** Returns the exit code. */
async function explain(requestId: string, json: boolean): Promise<number> {
  if (!isUuid(requestId)) {
    console.error("A request id is a UUID, as in the header X-Request-Id and on error pages.");
    return 2;
  }
  const explained = await withFoundation((foundation) => explainAnyRequest(foundation, requestId));
  if (!explained.ok) {
    console.error(explained.error.message);
    return 1;
  }
  console.log(json ? JSON.stringify(explained.value, null, 2) : explained.value.sentences.join("\n"));
  return 0;
}
