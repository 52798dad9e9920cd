/**
 * Empty Elysia routes as a limit of the lines: GET, and POST with a parsed body. `--preload` serves the routes inside
 * the process of the service, on the main thread, at the port of `BENCH_EMPTY_ROUTE_PORT`.
 */
import { isMainThread } from "node:worker_threads";
import { Elysia } from "elysia";

// Worker threads execute preloaded files too.
if (isMainThread) {
  new Elysia()
    .get("/", () => ({ ok: true }))
    .post("/", ({ body }) => ({ ok: body !== undefined }))
    .listen({ hostname: "127.0.0.1", port: Number(process.env.BENCH_EMPTY_ROUTE_PORT) });
}
