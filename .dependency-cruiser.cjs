/** The import rules of docs/architecture.md, checked by `npm run arrows`. */
const layer = (name) => `^src/${name}/`;

/** The layers below all others; each may import those before it. */
const LIMITS = [layer("limits")];
const VOCABULARY = [...LIMITS, layer("vocabulary")];
const BASE = [...VOCABULARY, layer("base")];
const TELEMETRY = [...BASE, layer("telemetry")];
const FOUNDATION = [...TELEMETRY, layer("database")];

/** Forbids every import of a layer except the allowed ones. */
function only(from, allowed, comment) {
  return {
    name: `${from.replace(/[^a-z]/g, "")}-imports`,
    comment,
    severity: "error",
    from: { path: from.startsWith("^") ? from : layer(from) },
    to: { path: "^(src|workers|db|bench|test|clients)/", pathNot: allowed },
  };
}

/** The formats of the transparency log, of which auditors have the same code. It depends on nothing. */
const AUDIT_FORMATS = "^clients/js/src/audit/";

/** Pure readers of what other parties write, shared by the settings and the workers. */
const READERS = ["^src/base/(certificate-text|database-url|partial-list|result|server-url).ts$"];
/** The reader of URLs of PostgreSQL. */
const DATABASE_URLS = "^src/base/database-url.ts$";

module.exports = {
  forbidden: [
    only("limits", LIMITS, "limits are constants"),
    only(
      "vocabulary",
      VOCABULARY,
      "value lists, names and pure predicates of the domain; vocabulary depends on limits only",
    ),
    only("base", BASE, "base depends on the vocabulary and limits only"),
    only("telemetry", TELEMETRY, "telemetry depends on base and limits only"),
    only("database", FOUNDATION, "the database layer depends on telemetry, base and limits only"),
    only("state", [layer("state"), ...FOUNDATION], "the state port depends on the foundation only"),
    only("pool", [layer("pool"), ...FOUNDATION], "pools depend on the foundation only"),
    only(
      "models",
      [layer("models"), layer("state"), ...FOUNDATION, "^db/schema/", AUDIT_FORMATS],
      "models: the rules, SQL and Redis keys of one noun",
    ),
    only("providers", [layer("providers"), ...FOUNDATION, AUDIT_FORMATS], "providers: calls to external servers"),
    only(
      "actors",
      [...["actors", "pool", "providers", "state", "models"].map(layer), ...FOUNDATION, AUDIT_FORMATS],
      "actors: in-process state with one writer",
    ),
    only(
      "flows",
      ["flows", "actors", "pool", "providers", "state", "models"]
        .map(layer)
        .concat(FOUNDATION, "^src/deps.ts$", AUDIT_FORMATS),
      "flows: decisions",
    ),
    only(
      "http",
      [layer("http"), layer("flows"), layer("actors"), layer("models"), ...FOUNDATION, "^src/(deps\\.ts$|config/)"],
      "http: the only layer that handles requests",
    ),
    only(
      "^src/pages/(?!islands/)",
      [layer("pages"), layer("http"), layer("flows"), layer("models"), ...FOUNDATION, "^src/(deps\\.ts$|config/)"],
      "pages: what people see; the pipeline and the cookies of http, the decisions of flows",
    ),
    {
      name: "pages-use-types-of-models-only",
      comment: "A page has no rule of its own and no SQL: flows decide and read.",
      severity: "error",
      from: { path: layer("pages") },
      to: { path: layer("models"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "pages-reach-no-store",
      severity: "error",
      from: { path: layer("pages") },
      to: { path: "node_modules/(postgres|ioredis|drizzle-orm)/|^src/(state|foundation)" },
    },
    {
      name: "islands-run-in-browsers",
      comment: "An island imports islands, and the client as others have it: it is bundled for browsers.",
      severity: "error",
      from: { path: "^src/pages/islands/" },
      to: { pathNot: "^src/pages/islands/|^clients/js/src/passkeys\\.ts$" },
    },
    {
      name: "only-pages-render",
      severity: "error",
      from: { path: "^(src|db|workers)/", pathNot: layer("pages") },
      to: { path: "node_modules/preact" },
    },
    {
      name: "audit-formats-depend-on-nothing",
      comment: "An auditor runs them without the service.",
      severity: "error",
      from: { path: "^clients/js/src/audit" },
      to: { pathNot: "^clients/js/src/audit/" },
    },
    only(
      "commands",
      [
        ...["commands", "config", "flows", "pool", "state", "models"].map(layer),
        ...FOUNDATION,
        "^src/(app|foundation)\\.ts$",
        // The members of clients and APIs in files and options are those of the API.
        "^src/http/oauth/(oauth-client-(file|settings)|oauth-resource-file)\\.ts$",
        "^db/migrate\\.ts$",
        "^clients/js/src/audit\\.ts$",
      ],
      "commands: one command of the command line each",
    ),
    only(
      "^workers/",
      ["^workers/", "^src/pool/(saml-)?protocol.ts$", "^src/base/runtime.ts$", ...READERS, ...LIMITS, AUDIT_FORMATS],
      "a worker depends on the protocol of its jobs, limits, the runtime, readers and the audit formats only",
    ),
    only("^db/", ["^db/", DATABASE_URLS], "schema, migrations and servers depend on the reader of URLs only"),
    {
      name: "models-do-not-import-one-another",
      comment: "Only flows combine two nouns. Conditions are SQL of rules about several nouns, and import no model.",
      severity: "error",
      from: { path: "^src/models/([^/]+)/" },
      to: { path: "^src/models/", pathNot: "^src/models/($1|conditions)/" },
    },
    {
      name: "actors-do-not-import-one-another",
      severity: "error",
      from: { path: "^src/actors/([^/]+)\\.ts$" },
      to: { path: "^src/actors/", pathNot: "^src/actors/$1(\\.ts$|/)" },
    },
    {
      name: "routes-do-not-import-one-another",
      severity: "error",
      from: { path: "^src/http/routes/([^/]+)\\.ts$" },
      to: { path: "^src/http/routes/", pathNot: "^src/http/routes/$1\\.ts$" },
    },
    {
      name: "only-http-imports-elysia",
      severity: "error",
      from: { path: "^(src|db|workers)/", pathNot: layer("http") },
      to: { path: "node_modules/(elysia|@elysiajs)/" },
    },
    {
      name: "the-client-stands-alone",
      comment: "What is published imports nothing of the service.",
      severity: "error",
      from: { path: "^clients/js/" },
      to: { pathNot: "^clients/js/|node_modules/(jose|@simplewebauthn/browser)/" },
    },
    {
      name: "only-islands-use-the-client",
      severity: "error",
      from: { path: "^(src|workers|db)/", pathNot: "^src/pages/islands/" },
      to: { path: "^clients/|identity-service-client", pathNot: "^clients/js/src/audit" },
    },
    {
      name: "adapters-need-no-framework",
      comment: "The core has no WebAuthn library, and no entry but passkeys has it.",
      severity: "error",
      from: { path: "^clients/js/src/", pathNot: "^clients/js/src/passkeys\\.ts$" },
      to: { path: "node_modules/@simplewebauthn/" },
    },
    {
      name: "steps-import-no-feature",
      comment: "A step is shared by features and depends on steps alone.",
      severity: "error",
      from: { path: "^src/flows/steps/" },
      to: { path: layer("flows"), pathNot: "^src/flows/steps/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-circles-of-folders",
      comment:
        "Of two folders one is above, by type imports too: a change of the lower one needs no reading of the other.",
      severity: "error",
      scope: "folder",
      from: { path: "^src/(flows|http|pages)(/|$)" },
      to: { path: "^src/(flows|http|pages)(/|$)", circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".json"] },
  },
};
