/** The file and the commands of docs/guides/clients-as-code.md, against running replicas. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guideBlock } from "../../clients/demo/guide-code.ts";
import { deployment, eventually } from "../support/deployment.ts";
import { serviceCommandsOf } from "../support/document-blocks.ts";
import { basic, sendForm } from "../support/oauth.ts";
import { runService } from "../support/replica.ts";
import { redisUrl } from "../support/services.ts";

const blockOf = (info: string) => guideBlock("clients-as-code", info);
const commandsOf = (info: string) => serviceCommandsOf("docs/guides/clients-as-code.md", info);

describe("the set of the guide", () => {
  test("is applied by the printed commands; the machine obtains a token with the secret of the file", async () => {
    const { databaseUrl, other, sql } = await deployment();
    const folder = mkdtempSync(join(tmpdir(), "identity-guides-"));
    try {
      writeFileSync(join(folder, "clients.yaml"), blockOf("yaml clients.yaml"));
      const env = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl() };
      const inFolder = (word: string) => (/\.(?:yaml|ndjson)$/.test(word) ? join(folder, word) : word);
      writeFileSync(join(folder, "resources.yaml"), blockOf("yaml resources.yaml"));
      const commands = ["sh create", "sh apply", "sh apply-resources", "sh rotate"].flatMap(commandsOf);
      const outputs: string[] = [];
      for (const command of commands) {
        const { code, output } = await runService(command.map(inFolder), env);
        expect([command, code]).toEqual([command, 0]);
        outputs.push(output);
      }
      const [created, listed, planned, , repeated, plannedResources, , second, completed] = outputs;
      expect(created).toMatch(/^client_secret: \S+$/m);
      expect(listed).toContain("Acme Wiki");
      expect(planned).toContain("2 to create, 0 to update, 0 to delete, 0 unchanged.");
      expect(repeated).toBe("No changes.\n");
      expect(plannedResources).toContain("1 to create, 0 to update, 0 unchanged.");
      expect([second, completed]).toEqual([expect.stringMatching(/\S{40}/), expect.any(String)]);
      const registered = await sql`select 1 from oauth_resources where identifier = 'https://notes.example.com/mcp'`;
      expect(registered).toHaveLength(1);
      const lines = readFileSync(join(folder, "secrets.ndjson"), "utf8").trim().split("\n");
      const [, report] = lines.map((line) => JSON.parse(line));
      const client = { id: report.client_id, secret: report.client_secret };
      const fields = { grant_type: "client_credentials", scope: "reports.read" };
      await eventually("the replica knows the application", 3_000, async () => {
        return (await sendForm(other.url, "/oauth2/token", fields, basic(client))).status === 200;
      });
    } finally {
      await sql`delete from oauth_clients where managed_by = 'production' or name = 'Acme Wiki'`;
      await sql`delete from oauth_resources where identifier = 'https://notes.example.com/mcp'`;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
