/** Who may import whom: the arrows of docs/architecture.md, watched by `npm run arrows`. */
const room = (name) => `^src/${name}/`;

/** Everything that a room may not reach, by what it may. */
function only(from, allowed, comment) {
  return {
    name: `${from.replace(/[^a-z]/g, "")}-reaches-down-only`,
    comment,
    severity: "error",
    from: { path: from.startsWith("^") ? from : room(from) },
    to: { path: "^(src|workers|db|bench|test)/", pathNot: allowed },
  };
}

module.exports = {
  forbidden: [
    only("base", [room("base")], "base knows nobody"),
    only("state", [room("state"), room("base")], "the state port stands on base"),
    only("pool", [room("pool"), room("base")], "pools stand on base"),
    only("models", [room("models"), room("state"), room("base"), "^db/schema/"], "models own facts"),
    only("providers", [room("providers"), room("base")], "providers own calls to other people's servers"),
    only(
      "actors",
      [room("actors"), room("pool"), room("providers"), room("state"), room("models"), room("base")],
      "actors own in-process state",
    ),
    only(
      "flows",
      ["flows", "actors", "pool", "providers", "state", "models", "base"].map(room).concat("^src/deps.ts$"),
      "flows own decisions",
    ),
    only(
      "http",
      [room("http"), room("flows"), room("actors"), room("models"), room("base"), "^src/(deps\\.ts$|config/)"],
      "http owns the wire",
    ),
    only("^workers/", ["^workers/", "^src/pool/protocol.ts$"], "a worker knows its jobs and nothing else"),
    only("^db/", ["^db/"], "the database's own files stand alone"),
    {
      name: "models-are-strangers",
      comment: "A flow is where two nouns meet.",
      severity: "error",
      from: { path: "^src/models/([^/]+)/" },
      to: { path: "^src/models/", pathNot: "^src/models/$1/" },
    },
    {
      name: "actors-are-strangers",
      severity: "error",
      from: { path: "^src/actors/([^/]+)\\.ts$" },
      to: { path: "^src/actors/", pathNot: "^src/actors/$1\\.ts$" },
    },
    {
      name: "routes-are-strangers",
      severity: "error",
      from: { path: "^src/http/routes/([^/]+)\\.ts$" },
      to: { path: "^src/http/routes/", pathNot: "^src/http/routes/$1\\.ts$" },
    },
    {
      name: "only-http-knows-elysia",
      severity: "error",
      from: { path: "^(src|db|workers)/", pathNot: room("http") },
      to: { path: "node_modules/(elysia|@elysiajs)/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
  },
};
