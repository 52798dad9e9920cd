import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config/config.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { operationsRoutes } from "../../src/http/routes/operations.ts";
import { readImage } from "./containerfile.ts";
import { DRAIN_SECONDS, envFile, kubernetes, type Manifest, OPS, ROOT, ROOT_SECRETS, yaml } from "./kit.ts";

const image = readImage();
const manifests = kubernetes();
const deployment: Manifest = manifests.get("Deployment");
const job: Manifest = manifests.get("Job");
const compose: Manifest = yaml("compose.yaml");
const POSTGRES = "postgres://identity:secret@postgres:5432/identity";
/** Values that an operator fills in. */
const SECRETS = {
  SERVICE_JWT_SECRET: "x".repeat(64),
  SERVICE_CONFIG_KEY: Buffer.alloc(32, 1).toString("base64"),
  SERVICE_AUDIT_EXPORT_KEY: "y".repeat(44),
  SERVICE_EMAIL_API_KEY: "re_filled_in",
};

const templateOf = (workload: Manifest): Manifest => workload.spec.template;

/**
 * The kit leaves the choice to the operator, and the service warns until the operator decides (docs/configuration.md).
 */
const UNVERIFIED_ALLOWED = [expect.stringContaining("SERVICE_REQUIRE_VERIFIED_EMAIL")];

describe("every environment variable of the kit", () => {
  const environments: [string, Record<string, string>][] = [
    ["Containerfile", image.env],
    ["compose.yaml", compose["x-service"].environment],
    ["service.env.example", envFile("service.env.example")],
    ["configmap.yaml", manifests.get("ConfigMap").data],
    ["secret.example.yaml", manifests.get("Secret").stringData],
  ];

  test.each(environments)("is a known variable: %s", (_, environment) => {
    const files = ROOT_SECRETS.map((name) => `${name}_FILE`);
    const isRead = (name: string) => name in VARIABLES || files.includes(name);
    expect(Object.keys(environment).filter((name) => !isRead(name) && !/^(OTEL|BUN|NODE)_/.test(name))).toEqual([]);
    expect(Object.values(environment).filter((value) => typeof value !== "string")).toEqual([]);
  });

  test("makes a configuration once secrets are filled in, and none before: compose", () => {
    const given = {
      ...image.env,
      ...envFile("service.env.example"),
      ...compose["x-service"].environment,
      DATABASE_URL: POSTGRES,
      REDIS_URL: "redis://:secret@redis:6379",
    };
    const names = ROOT_SECRETS.map((name) => `${name}_FILE`);
    const errors = names.map((name) => `${name}: must name a readable file`);
    expect(loadConfig(given)).toEqual({ ok: false, error: expect.arrayContaining(errors) });
    const folder = mkdtempSync(join(tmpdir(), "identity-secrets-"));
    for (const name of ROOT_SECRETS) writeFileSync(join(folder, `${name}_FILE`), `${SECRETS[name]}\n`);
    const files = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
    const filled = { ...given, ...files, SERVICE_EMAIL_API_KEY: SECRETS.SERVICE_EMAIL_API_KEY };
    expect(loadConfig(filled)).toMatchObject({ ok: true, value: { warnings: UNVERIFIED_ALLOWED } });
    rmSync(folder, { recursive: true });
  });

  test("makes a configuration once secrets are filled in, and none before: Kubernetes", () => {
    const given = { ...image.env, ...manifests.get("ConfigMap").data, ...manifests.get("Secret").stringData };
    const secrets = { ...SECRETS, DATABASE_URL: POSTGRES, REDIS_URL: "rediss://:secret@redis:6379" };
    expect(loadConfig({ ...given, DATABASE_URL: POSTGRES })).toMatchObject({ ok: false });
    expect(loadConfig({ ...given, ...secrets })).toMatchObject({
      ok: true,
      value: { warnings: UNVERIFIED_ALLOWED, embedded: false },
    });
  });
});

describe("ops/kubernetes", () => {
  test.each([
    ["Deployment", deployment],
    ["Job", job],
  ])("%s: a non-root user, a read-only root, no capability, no token, bounded memory", (_, workload) => {
    const pod = templateOf(workload).spec;
    expect(pod.automountServiceAccountToken).toBe(false);
    const [user, group] = image.user.split(":").map(Number);
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(container.resources.requests.cpu).toBeString();
      expect(container.resources.limits.memory).toBeString();
      const writable = container.volumeMounts.filter(({ readOnly }: Manifest) => !readOnly);
      expect(writable).toEqual([{ name: "tmp", mountPath: image.env.SERVICE_SPOOL_DIRECTORY }]);
      // Secrets come from the Secret alone; a value in the manifest would be stored in the repository.
      expect(container.env).toBeUndefined();
    }
    expect(manifests.get("ServiceAccount").automountServiceAccountToken).toBe(false);
  });

  test("probes ask routes that are mounted: liveness never PostgreSQL, readiness /readyz", () => {
    const mounted = operationsRoutes({} as never).map(({ path }) => path);
    const [container] = templateOf(deployment).spec.containers;
    const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => container[probe].httpGet.path);
    expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
    expect(
      [...paths, templateOf(deployment).metadata.annotations["prometheus.io/path"]].filter(
        (path) => !mounted.includes(path),
      ),
    ).toEqual([]);
    expect(container.ports[0].containerPort).toBe(Number(image.env.PORT));
  });

  test("a pod has time for pause and drain before the end", () => {
    const pod = templateOf(deployment).spec;
    const pause = Number(pod.containers[0].lifecycle.preStop.exec.command[1]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + DRAIN_SECONDS);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  test("service, budget and spread choose the replicas, and never the migration", () => {
    const labels = templateOf(deployment).metadata.labels;
    expect(manifests.get("Service").spec.selector).toEqual(labels);
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(manifests.get("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels);
    for (const { labelSelector } of templateOf(deployment).spec.topologySpreadConstraints)
      expect(labelSelector.matchLabels).toEqual(labels);
    expect(templateOf(job).metadata.labels).not.toEqual(labels);
    expect(manifests.get("HorizontalPodAutoscaler").spec).toMatchObject({
      scaleTargetRef: { name: deployment.metadata.name },
    });
    expect(manifests.get("HorizontalPodAutoscaler").spec.minReplicas).toBeGreaterThanOrEqual(2);
    expect(deployment.spec.replicas).toBeUndefined();
  });

  test("kustomization has every manifest but the example of a secret, and one image for replicas and migration", () => {
    const { resources, images } = yaml("kubernetes/kustomization.yaml");
    const files = readdirSync(join(OPS, "kubernetes")).filter(
      (name) => !/^(kustomization|(migration-)?secret\.example)\.yaml$/.test(name),
    );
    expect([...resources].sort()).toEqual(files.sort());
    const used = [deployment, job].flatMap((workload) =>
      templateOf(workload).spec.containers.map((each: Manifest) => each.image),
    );
    expect(used).toEqual([images[0].name, images[0].name]);
    expect(images[0].newTag).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
  });
});

describe("passwords and roles", () => {
  const scaled: Manifest = yaml("scaled/compose.yaml");

  test("Replicas connect as a role that owns nothing; only the migration has the URL of the owner.", () => {
    for (const { environment } of [compose.services["replica-one"], scaled["x-service"]]) {
      expect(environment.DATABASE_URL).toStartWith("postgres://identity_replica:");
      expect(environment.SERVICE_MIGRATION_URL).toBeUndefined();
    }
    expect(compose.services.migrate.environment.SERVICE_MIGRATION_URL).toStartWith("postgres://identity_migration:");
    const secretsOf = (workload: Manifest) =>
      templateOf(workload).spec.containers[0].envFrom.flatMap(({ secretRef }: Manifest) => secretRef?.name ?? []);
    expect(secretsOf(deployment)).toEqual(["identity"]);
    expect(secretsOf(job)).toEqual(["identity", "identity-migration"]);
    const roles = readFileSync(join(OPS, "postgres/roles.sql"), "utf8");
    for (const role of ["identity_replica", "identity_migration"]) expect(roles).toContain(role);
  });

  test("Kubernetes verifies the certificate and the name of PostgreSQL, in every example of a URL.", () => {
    for (const file of ["secret.example.yaml", "migration-secret.example.yaml"]) {
      const urls = readFileSync(join(OPS, "kubernetes", file), "utf8").match(/postgres:\/\/\S+/g) ?? [];
      expect(urls.length).toBeGreaterThan(0);
      for (const url of urls) expect(url).toEndWith("sslmode=verify-full");
    }
    const [mount] = templateOf(deployment).spec.containers[0].volumeMounts.filter(({ readOnly }: Manifest) => readOnly);
    expect(manifests.get("ConfigMap").data.NODE_EXTRA_CA_CERTS).toStartWith(`${mount.mountPath}/`);
  });

  test("Redis has a password in every example, and so has every URL of Redis.", () => {
    const servers = [compose.services.redis, scaled.services.redis, scaled.services["redis-replica"]];
    for (const { command } of servers)
      expect(command[command.indexOf("--requirepass") + 1]).toStartWith("${REDIS_PASSWORD:?");
    expect(scaled["x-sentinel"].entrypoint.at(-1)).toContain("sentinel auth-pass identity");
    for (const { environment } of [compose["x-service"], scaled["x-service"]])
      expect(environment.REDIS_URL).toContain(":${REDIS_PASSWORD:?");
    const secret = readFileSync(join(OPS, "kubernetes/secret.example.yaml"), "utf8");
    expect(secret).toMatch(/REDIS_URL: "" # rediss:\/\/:password@/);
  });
});

describe("ops/otel-collector.yaml", () => {
  const collector: Manifest = yaml("otel-collector.yaml");
  const redaction = collector.processors.redaction;

  test("pipelines name what is defined, bound memory first, and redact traces", () => {
    for (const { receivers, processors, exporters } of Object.values<Manifest>(collector.service.pipelines)) {
      expect(receivers.filter((name: string) => !(name in collector.receivers))).toEqual([]);
      expect(processors.filter((name: string) => !(name in collector.processors))).toEqual([]);
      expect(exporters.filter((name: string) => !(name in collector.exporters))).toEqual([]);
      expect([processors[0], processors.at(-1)]).toEqual(["memory_limiter", "batch"]);
    }
    expect(collector.service.pipelines.traces.processors).toContain("redaction");
  });

  test("lets through every attribute that the service writes on spans", () => {
    const files = readdirSync(join(ROOT, "src"), { encoding: "utf8", recursive: true });
    const sources = files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(ROOT, "src", file), "utf8"))
      .filter((text) => /\b(in\w*Span|annotate)\(/.test(text) && !text.includes("createHistogram"));
    const written = sources
      .flatMap((text) => [...text.matchAll(/"([a-z]+(?:\.[a-z_]+)+)":|setAttribute\("([a-z._]+)"/g)])
      .map(([, inObject, alone]) => inObject ?? alone);
    expect(written.length).toBeGreaterThan(20);
    expect(written.filter((name) => !redaction.allowed_keys.includes(name))).toEqual([]);
    expect(redaction.allow_all_keys).toBe(false);
  });

  test("masks texts with the form of a secret, and no name of the service", () => {
    const patterns = redaction.blocked_values.map(
      (each: string) => new RegExp(each.replace("(?i)", ""), each.startsWith("(?i)") ? "i" : ""),
    );
    const masked = (value: string) => patterns.some((pattern: RegExp) => pattern.test(value));
    const secrets = [
      "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln",
      "Bearer abcdefgh12345678",
      POSTGRES,
      "somebody@example.com",
      "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
    ];
    expect(secrets.filter((value) => !masked(value))).toEqual([]);
    const names = [
      "GET /v1/auth/session",
      "/v1/orgs/{org_id}/members",
      "session.rotate",
      "postgresql",
      "0193e1a2-7c1e-7000-8000-000000000000",
    ];
    expect(names.filter(masked)).toEqual([]);
  });
});
