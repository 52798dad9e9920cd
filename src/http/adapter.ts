import type { ElysiaAdapter } from "elysia/adapter";
import { WebStandardAdapter } from "elysia/adapter/web-standard";
import { type ServeOptions, serveHttp } from "../base/runtime.ts";

/** How Elysia serves where it has no server of its own; `undefined` where it has one. */
export const adapter: ElysiaAdapter | undefined = serveHttp && {
  ...WebStandardAdapter,
  name: "runtime",
  listen: (app) => (options) => {
    app.compile();
    app.server = serveHttp?.(options as ServeOptions, app.fetch) as never;
  },
};
