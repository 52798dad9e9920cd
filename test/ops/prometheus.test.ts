import { beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VARIABLES } from "../../src/config/variables.ts";
import { ALERTED_FAULTS, LEFT_OUT, SUITE_FAULT_ALERTS } from "../alerts/faults.ts";
import { SCENARIOS } from "../faults/scenarios.ts";
import { Client, registered, signedIn } from "../support/client.ts";
import { MailProvider } from "../support/mail.ts";
import { findProgram } from "../support/packages.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { companyWithSso } from "../support/sso-connections.ts";
import { until } from "../support/waiting.ts";
import { type Manifest, OPS, ROOT, text, yaml } from "./kit.ts";

const allRules: Manifest[] = yaml("prometheus/alerts.yml").groups.flatMap((group: Manifest) => group.rules);
const rules = allRules.filter(({ alert }) => alert !== undefined);
/** Series that recording rules create; only names of recorded series contain a colon. */
const RECORDED = new Set(allRules.flatMap(({ record }) => (record === undefined ? [] : [record])));
const RECORDED_NAME = /\b\w+(?::\w+)+\b/g;
const dashboard: Manifest = JSON.parse(text("grafana/dashboard.json"));
/** Every expression of the kit with the location. */
const EXPRESSIONS: readonly [place: string, expression: string][] = [
  ...allRules.map(({ alert, record, expr }): [string, string] => [alert ?? record, expr]),
  ...dashboard.panels.flatMap((panel: Manifest) =>
    panel.targets.map(({ expr }: Manifest): [string, string] => [panel.title, expr]),
  ),
];
/** Labels and series that Prometheus itself adds. */
const OF_PROMETHEUS = new Set(["up", "job", "instance"]);
/** Series that the supervisor of several processes adds; test/telemetry/exposition.test.ts verifies the series. */
const OF_SUPERVISOR = new Set(["service_process_up"]);
const WORDS = new Set(["by", "on", "and", "or", "unless", "bool", "offset", "sum", "max", "min", "count", "topk"]);
/** Labels that recording rules add. */
const OF_RULES = new Set(["slo"]);

/** The metrics of a replica after a registration, a sign-in, failed sign-ins and probes. */
let printed: string;
let databaseUrl: string;
beforeAll(async () => {
  const mail = new MailProvider();
  databaseUrl = await freshDatabase();
  const replica = await startReplica({
    DATABASE_URL: databaseUrl,
    REDIS_URL: await redisUrl(),
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_RATE_LIMITS: "on",
    // The identity provider is unavailable: no server listens on port 1.
    SERVICE_OAUTH_IDP_A_ISSUER: "http://127.0.0.1:1",
    SERVICE_OAUTH_IDP_A_CLIENT_ID: "client",
    SERVICE_OAUTH_IDP_A_CLIENT_SECRET: "secret",
  });
  const client = new Client(replica.url);
  const { email } = await registered(replica.url);
  await signedIn(replica.url, email);
  await signedIn(replica.url, email, "not the password of this user");
  for (const path of ["/readyz", "/healthz", "/metrics", "/v1/auth/session"]) await client.get(path);
  await client.get("/v1/auth/oauth/oauth_idp_a/start");
  const sql = openSql(databaseUrl);
  const { connectionId } = await companyWithSso({ one: replica, sql });
  await client.get(`/v1/auth/sso/${connectionId}/callback?state=unknown`);
  await until("an email was counted", async () => {
    printed = (await client.get("/metrics")).text;
    return printed.includes("service_mail_attempts_total{");
  });
  await replica.kill();
});

function promtool(...args: string[]): { code: number | null; said: string } {
  const program = findProgram("promtool");
  // Without the setting, promtool spends a fifth of the time on garbage collection.
  const env = { ...process.env, GOGC: "400" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(OPS, "prometheus"), encoding: "utf8", env });
  return { code: status, said: `${stdout}${stderr}` };
}

/** Returns the series in an expression: words that are neither a label nor a function nor a keyword. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replace(RECORDED_NAME, " ")
    .replace(/\{[^}]*\}|\b(?:by|on) \([^)]*\)|\[[^\]]*\]|"[^"]*"|\b\d\w*/g, " ");
  return [...bare.matchAll(/\b([a-z_]\w*)\b(?!\s*\()/g)]
    .map(([, name]) => String(name))
    .filter((name) => !WORDS.has(name));
}

function labelsOf(expression: string): string[] {
  const selected = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, name]) => String(name));
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => String(names).split(/,\s*/));
  return [...selected, ...grouped];
}

describe("ops/prometheus", () => {
  test("rules and configuration are what promtool accepts", () => {
    expect(promtool("check", "rules", "alerts.yml")).toMatchObject({ code: 0 });
    expect(promtool("check", "config", "prometheus.yml")).toMatchObject({ code: 0 });
  });

  test("each alert is raised by the named fault, and no alert by a quiet day", () => {
    expect(promtool("test", "rules", "alerts.test.yml")).toMatchObject({ code: 0 });
    const tests = text("prometheus/alerts.test.yml");
    expect(rules.map(({ alert }) => alert).filter((alert) => !tests.includes(alert))).toEqual([]);
  });

  test("each alert tells event, meaning, action, and the place of the documentation", () => {
    for (const { alert, annotations, labels } of rules) {
      expect(labels.severity, alert).toMatch(/^(page|ticket)$/);
      for (const name of ["summary", "description", "action"])
        expect(annotations[name], `${alert} ${name}`).toBeString();
      const [file = "", anchor] = String(annotations.runbook).split("#");
      const headings = [...readFileSync(join(ROOT, file), "utf8").matchAll(/^#+ (.+)$/gm)].map(
        ([, heading]) => heading,
      );
      const anchors = headings.map((heading) =>
        heading
          ?.toLowerCase()
          .replace(/[^\w\s-]/g, "")
          .replaceAll(" ", "-"),
      );
      expect(anchors, alert).toContain(anchor);
    }
  });
});

describe("what alerts and dashboard ask for", () => {
  test("is printed by a running replica: every metric", () => {
    const names = new Set([...printed.matchAll(/^(\w+)\{/gm)].map(([, name]) => name));
    const missing = EXPRESSIONS.flatMap(([place, expression]) =>
      metricsOf(expression)
        .filter((name) => !names.has(name) && !OF_PROMETHEUS.has(name) && !OF_SUPERVISOR.has(name))
        .map((name) => `${place}: ${name}`),
    );
    expect(missing).toEqual([]);
    const recorded = (expression: string) => [...expression.matchAll(RECORDED_NAME)].map(([name]) => name);
    const named = EXPRESSIONS.flatMap(([, expression]) => recorded(expression));
    expect(named.filter((name) => !RECORDED.has(name) && !name.startsWith("oauth/:"))).toEqual([]);
    expect(EXPRESSIONS.filter(([, each]) => metricsOf(each).length === 0 && recorded(each).length === 0)).toEqual([]);
  });

  test("is printed by a running replica: every label, and every value that is asked for by name", () => {
    const labels = new Set([...printed.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
    const unknown = EXPRESSIONS.flatMap(([, expression]) => labelsOf(expression)).filter(
      (name) => !labels.has(name) && !OF_PROMETHEUS.has(name) && !OF_RULES.has(name),
    );
    expect([...new Set(unknown)]).toEqual([]);
    const values = EXPRESSIONS.flatMap(([, expression]) => [...expression.matchAll(/\b(\w+)!?=("[^"]*")/g)])
      .map(([, name, value]) => `${name}=${value}`)
      // These pairs do not appear in the metrics: failures that no healthy replica reports, the name of the scrape, and
      // labels of rules.
      .filter((pair) => !/^(http_response_status_code|job|slo)=/.test(pair));
    expect(values.filter((pair) => !printed.includes(pair))).toEqual([]);
  });
});

describe("docs/runbook.md", () => {
  const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
  const FENCED = /```sql\n([\s\S]*?)```/g;
  const fenced = [...runbook.matchAll(FENCED)].flatMap(([, code = ""]) => code.split(";").map((one) => one.trim()));
  const marked = [...runbook.replace(FENCED, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  const inSources = (pattern: RegExp, file: string) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    return marked.flatMap((code) => code.match(pattern) ?? []).filter((name) => !source.includes(name));
  };

  test("has a paragraph for exactly the existing alerts; test:alerts raises the alerts of the table", () => {
    const paragraphs = [...runbook.matchAll(/^### (Identity\w+)$/gm)].map(([, name]) => String(name));
    expect(paragraphs.sort()).toEqual([...new Set(rules.map(({ alert }) => String(alert)))].sort());
    for (const alert of paragraphs) {
      const [line = ""] = runbook.split(`### ${alert}\n\n`)[1]?.split("\n") ?? [];
      const severities = rules.filter((rule) => rule.alert === alert).map(({ labels }) => String(labels.severity));
      const said = [...line.toLowerCase().matchAll(/page|ticket/g)].map(([word]) => word);
      expect(said.sort(), alert).toEqual([...new Set(severities)].sort());
    }
    const rows = [...runbook.matchAll(/^\| [^|]+ \| (Identity\w+|none) \|$/gm)].map(([, name]) => String(name));
    const raised = ALERTED_FAULTS.map(({ alert }) => alert ?? "none");
    expect([...new Set(rows)].sort()).toEqual([...new Set(raised)].sort());
    const decided = [...Object.keys(SUITE_FAULT_ALERTS), ...Object.keys(LEFT_OUT)];
    expect(decided.sort()).toEqual(SCENARIOS.map(({ fault }) => fault).sort());
  });

  test("names existing statements of PostgreSQL and metrics of a replica", async () => {
    const sql = openSql(databaseUrl);
    const statements = [...fenced, ...marked].filter((code) => code.startsWith("select "));
    expect(statements.length).toBeGreaterThan(2);
    for (const statement of statements) await sql.unsafe(statement.replace("<pid>", "0"));
    const metrics = marked.flatMap((code) => code.match(/^(?:service|db|http|process|nodejs)_\w+/) ?? []);
    expect(metrics.length).toBeGreaterThan(4);
    expect(metrics.filter((name) => !printed.includes(name) && !OF_SUPERVISOR.has(name))).toEqual([]);
  });

  test("names commands, settings, endpoints, panels and traced statements that exist", () => {
    expect(inSources(/(?<=npm run service -- )\w+/, "src/commands/command-line.ts")).toEqual([]);
    expect(inSources(/(?<=npm run )test:\w+/, "package.json")).toEqual([]);
    const settings = marked.flatMap((code) => code.match(/SERVICE_[A-Z_]+[A-Z]/) ?? []);
    const isSetting = (name: string) => Object.keys(VARIABLES).some((each) => each.startsWith(name));
    expect(settings.filter((name) => !isSetting(name))).toEqual([]);
    expect(inSources(/(?<=^GET )\/v1\/[\w/-]+/, "docs/contract.md")).toEqual([]);
    const panels = /^2\. The dashboard [^:]+: (.+)\.$/m.exec(runbook)?.[1]?.split(", ") ?? [];
    expect(panels.length).toBeGreaterThan(3);
    const titles = dashboard.panels.map(({ title }: Manifest) => title);
    expect(panels.filter((panel) => !titles.includes(panel))).toEqual([]);
    expect(inSources(/^session(?:_event)?\.\w+$/, "src/actors/revocations.ts")).toEqual([]);
  });
});

describe("ops/grafana/dashboard.json", () => {
  test("has panels with a title and an expression each, in a grid without overlaps", () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }: Manifest) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map(({ id }: Manifest) => id)).size).toBe(dashboard.panels.length);
    for (const { title, targets } of dashboard.panels)
      expect([title, targets.length > 0]).toEqual([expect.any(String), true]);
  });

  test("displays each gauge of docs/operating.md", () => {
    // The tables of later sections list label values, not metrics.
    const [operating = ""] = readFileSync(join(ROOT, "docs/operating.md"), "utf8").split("\n## Signatures");
    const cells = [...operating.matchAll(/^\| (`service_[^|]+) \|/gm)].map(([, cell]) => String(cell));
    const metrics = cells.flatMap((cell) => cell.match(/service_\w+/g) ?? []);
    const gauges = metrics.filter((name) => !/_(?:total|duration_seconds)$/.test(name));
    expect(gauges.length).toBeGreaterThan(10);
    const targets: Manifest[] = dashboard.panels.flatMap((panel: Manifest) => panel.targets);
    const displayed = new Set(targets.flatMap(({ expr }) => metricsOf(expr)));
    expect(gauges.filter((name) => !displayed.has(name))).toEqual([]);
  });

  test("names existing alerts and the provisioned data source", () => {
    const named = text("grafana/dashboard.json").match(/\bIdentity[A-Z]\w+/g) ?? [];
    expect(named.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
    const [source] = yaml("grafana/provisioning/datasources/prometheus.yaml").datasources;
    for (const { datasource } of dashboard.panels) expect(datasource).toEqual({ type: source.type, uid: source.uid });
  });
});
