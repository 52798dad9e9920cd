// Serves functions of the Fetch standard by their path, with the server of the runtime: for adapters whose framework
// brings none of its own here. Arguments: the folder of Next.js route handlers, or an Elysia application.
const [, , kind, path] = process.argv;

async function handlerOf(name) {
  return (await import(`${path}/app/${name}/route.js`)).GET;
}

async function handlersOfNext() {
  const names = ["me", "payments", "admin"];
  const handlers = new Map(await Promise.all(names.map(async (name) => [`/${name}`, await handlerOf(name)])));
  return (request) => handlers.get(new URL(request.url).pathname)(request, { params: Promise.resolve({}) });
}

const handle = kind === "next" ? await handlersOfNext() : (await import(path)).app.fetch;
const say = (port) => console.log(`listening on http://localhost:${port}`);

if ("Deno" in globalThis) {
  Deno.serve({ port: 0, onListen: ({ port }) => say(port) }, handle);
} else if ("Bun" in globalThis) {
  say(Bun.serve({ port: 0, fetch: handle }).port);
} else {
  const { createServer } = await import("node:http");
  const server = createServer(async (request, response) => {
    const answer = await handle(new Request(`http://localhost${request.url}`, { headers: request.headers }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, () => say(server.address().port));
}
