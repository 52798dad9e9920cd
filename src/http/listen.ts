import { hasElysiaServer } from "../base/runtime.ts";
import { type HttpServer, type ListenOptions, serveWithNode } from "./node-server.ts";

/** The part of an application of Elysia that serves. */
interface Application {
  server: unknown;
  listen(options: ListenOptions): unknown;
  fetch(request: Request): Response | Promise<Response>;
}

/** Serves an application at an address. Throws an Error that names the variable and the next step. */
export async function listen(app: Application, options: ListenOptions): Promise<HttpServer> {
  try {
    if (!hasElysiaServer) {
      // The object that handlers read as `server`.
      app.server = await serveWithNode(options, (request) => app.fetch(request));
    } else app.listen(options);
  } catch (error) {
    throw new Error(problemOf(error, options), { cause: error });
  }
  if (!app.server) throw new Error("the server did not start");
  return app.server as HttpServer;
}

function problemOf(error: unknown, { hostname, port }: ListenOptions): string {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const has = (...codes: readonly string[]) => codes.some((each) => each === code || message.includes(each));
  if (has("EADDRINUSE")) return `PORT: ${port} is in use: stop the program that listens there, or set another port`;
  if (has("EACCES")) return `PORT: ${port} needs a privilege: set a port from 1024, or permit CAP_NET_BIND_SERVICE`;
  if (has("EADDRNOTAVAIL", "EINVAL", "EINPROGRESS", "ENOTFOUND", "EAI_AGAIN", "EAFNOSUPPORT"))
    return `HOST: ${hostname} is no address of this machine: set 127.0.0.1, 0.0.0.0 or :: (all addresses)`;
  return `HOST, PORT: cannot listen at ${hostname}, port ${port}: ${message}`;
}
