import { constants } from "node:os";
import { defineCommand } from "citty";
import { systemClock } from "../base/clock.ts";
import { commandOf, runtimeName } from "../base/runtime.ts";
import { STOP_SIGNAL_REPEATED_MS } from "../limits/process-limits.ts";
import { configured } from "./configured.ts";
import { processMetrics } from "./process-metrics.ts";
import { superviseProcesses } from "./processes.ts";

async function serveInProcesses(count: number, stopped: Promise<void>): Promise<void> {
  const supervisor = superviseProcesses({
    count,
    command: commandOf(process.argv[1] ?? "", "serve", "--shares-port"),
    onExit: (code) => console.error(`a process ended with ${code ?? "no exit code"} and is restarted`),
  });
  await stopped;
  process.exitCode = (await supervisor.stop()) ? 0 : 1;
}

/** Runs until SIGTERM or SIGINT, then drains (docs/contract.md, section 19.5). */
export const serveCommand = defineCommand({
  meta: { name: "serve", description: "Start the service" },
  args: {
    "shares-port": {
      type: "boolean",
      description: "One of several processes on a port; SERVICE_PROCESSES starts them",
    },
  },
  async run({ args }) {
    // Runs first: the first process of a container ignores signals without a listener.
    const stopped = stopSignal();
    const config = configured();
    if (config.processes > 1 && !args["shares-port"]) return await serveInProcesses(config.processes, stopped);
    // The import is here because only this command, without the parent of several processes, loads the server.
    const { startApp } = await import("../app.ts");
    const app = await startApp(config, args["shares-port"] && process.connected ? processMetrics : undefined);
    app.log.info({ runtime: runtimeName, url: app.url }, "listening");
    if (config.embedded) console.log(greeting(app.url, config));
    // The supervising process may have died before this process listened for the disconnection.
    if (!args["shares-port"] || process.connected) await stopped;
    app.log.info("draining");
    await app.drain();
    app.log.info("stopped");
  },
});

/**
 * Resolves at the first SIGTERM or SIGINT. Below npm one Ctrl-C arrives twice: the terminal signals the whole process
 * group, and npm forwards the signal. The listener stays, so the second signal does not end the drain. A signal after
 * `STOP_SIGNAL_REPEATED_MS` ends the process at once.
 */
function stopSignal(): Promise<void> {
  return new Promise((received) => {
    let firstAt: number | undefined;
    // Deno passes the name of the signal, but not the number.
    const onSignal = (name: NodeJS.Signals) => {
      firstAt ??= systemClock.monotonic();
      if (systemClock.monotonic() - firstAt > STOP_SIGNAL_REPEATED_MS) process.exit(128 + constants.signals[name]);
      received();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
    // The IPC channel closes when the supervising process dies.
    process.once("disconnect", () => received());
  });
}

function greeting(url: string, config: ReturnType<typeof configured>): string {
  const local = url.replace("127.0.0.1", "localhost");
  const mail = config.pages.devMail ? `\n          ${local}/dev/mail    the emails, which are kept and not sent` : "";
  const pages = `
  Pages:  ${local}/            register, sign in, manage your account${mail}
  Owner:  register there, then make yourself the platform's owner, in another terminal:
          npm run service -- admin grant you@example.com owner
`;
  return `
  Identity service at ${local}   (embedded PostgreSQL, data in ${config.dataDirectory}/)
${config.pages.enabled ? pages : ""}
  Try it:
    curl -s ${local}${config.urls.routePrefix}/auth/register -H 'content-type: application/json' \\
      -d '{"organization_name":"Acme","email":"you@example.com","password":"correct horse battery"}'
  Read:  ${local}/docs
  Stop:  Ctrl-C
`;
}
