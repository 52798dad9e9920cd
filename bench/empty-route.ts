/** The peer of lines 4 and 19: an empty Elysia route in a separate process, and a route that parses the body. */
import { Elysia } from "elysia";

const app = new Elysia()
  .get("/", () => ({ ok: true }))
  .post("/", ({ body }) => ({ ok: body !== undefined }))
  .listen({ hostname: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ url: app.server?.url.origin }));
