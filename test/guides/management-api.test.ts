/** The program of docs/guides/management-api.md, in Node.js against a deployment. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployment } from "../support/deployment.ts";
import { program } from "../support/programs.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../docs/guides/management-api.md"), "utf8");

test("The program of the guide creates, upserts, migrates and lists users, also at a repetition (G490).", async () => {
  const at = await deployment();
  const { key } = await program(at, ["users.write", "members.add"]);
  const block = /^```js\n([\s\S]*?)^```$/m.exec(GUIDE)?.[1] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));
  try {
    writeFileSync(join(folder, "management.mjs"), block);
    for (const outcome of ["created", "exists"]) {
      const env = { ...process.env, IDENTITY_URL: at.one.url, IDENTITY_KEY: key };
      const child = Bun.spawn(["node", join(folder, "management.mjs")], { env, stderr: "inherit" });
      const printed = await new Response(child.stdout).text();
      expect([printed, await child.exited]).toEqual([
        `user customer/4711\nbatch ${outcome}\nbatch exists\nlist true\n`,
        0,
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
