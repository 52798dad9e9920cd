import { defineCommand } from "citty";
import { startApp } from "../app.ts";
import { configured } from "./configured.ts";

/** Starts the service and runs until SIGTERM or SIGINT, then drains (decisions, section 10). */
export const serveCommand = defineCommand({
  meta: { name: "serve", description: "Start the service" },
  async run() {
    const config = configured();
    const app = await startApp(config);
    app.log.info({ url: app.url }, "listening");
    if (config.embedded) console.log(greeting(app.url, config));
    await stopSignal();
    app.log.info("draining");
    await app.drain();
    app.log.info("stopped");
  },
});

function stopSignal(): Promise<void> {
  return new Promise((received) => {
    process.once("SIGTERM", () => received());
    process.once("SIGINT", () => received());
  });
}

function greeting(url: string, config: ReturnType<typeof configured>): string {
  const local = url.replace("127.0.0.1", "localhost");
  return `
  Identity service at ${local}   (embedded PostgreSQL, data in ${config.dataDirectory}/)

  Try it:
    curl -s ${local}${config.urls.routePrefix}/auth/register -H 'content-type: application/json' \\
      -d '{"organization_name":"Acme","email":"you@example.com","password":"correct horse battery"}'
  Read:  ${local}/docs
  Stop:  Ctrl-C
`;
}
