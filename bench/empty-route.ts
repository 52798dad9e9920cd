/** The peer of line 4: an empty Elysia route in a separate process. */
import { Elysia } from "elysia";

const app = new Elysia().get("/", () => ({ ok: true })).listen({ hostname: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ url: app.server?.url.origin }));
