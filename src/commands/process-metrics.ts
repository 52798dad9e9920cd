/**
 * The metrics of all processes in one text. A scrape reaches one of the processes; this process asks the supervisor,
 * and the supervisor asks all processes.
 */
import type { ChildProcess } from "node:child_process";
import { ALL_METRICS_DEADLINE_MS, PROCESS_METRICS_DEADLINE_MS } from "../limits/process-limits.ts";
import {
  addTotals,
  type Exposition,
  joinExpositions,
  type ProcessMetrics,
  parseExposition,
} from "../telemetry/exposition.ts";
import { type Pending, pending, type ToProcess, type ToSupervisor, within } from "./process-messages.ts";

/** The supervisor's side. */
export interface MetricsCollector {
  /** A process was started in the place with this number, from 1. */
  follow(number: number, child: ChildProcess): void;
}

/** The place of a process and of its predecessors. */
interface Place {
  /** Totals of the ended processes, as of their last response. */
  ended: Exposition;
  /** The last response of the running process. */
  latest: Exposition;
  /** Asks the running process; undefined while no process serves. */
  ask: (() => Promise<Exposition | undefined>) | undefined;
}

export function metricsCollector(count: number): MetricsCollector {
  const places: Place[] = Array.from({ length: count }, () => ({
    ended: new Map(),
    latest: new Map(),
    ask: undefined,
  }));
  let collecting: Promise<string> | undefined;

  async function askPlace(place: Place, index: number): Promise<ProcessMetrics> {
    const responded = await within(PROCESS_METRICS_DEADLINE_MS, place.ask?.() ?? Promise.resolve(undefined), undefined);
    return { number: index + 1, exposition: responded, totals: addTotals(place.ended, place.latest) };
  }

  /** Concurrent scrapes share one round. */
  function collect(): Promise<string> {
    collecting ??= Promise.all(places.map(askPlace))
      .then(joinExpositions)
      .finally(() => {
        collecting = undefined;
      });
    return collecting;
  }

  return {
    follow(number, child) {
      const place = places[number - 1];
      if (place) followChild(place, child, collect);
    },
  };
}

function followChild(place: Place, child: ChildProcess, collect: () => Promise<string>): void {
  let asked: Pending<Exposition | undefined> | undefined;
  let ended = false;
  const send = (message: ToProcess) => {
    // The channel of an ended process is already closed.
    if (child.connected) child.send(message, () => undefined);
  };

  function ask(): Promise<Exposition | undefined> {
    if (!asked) {
      asked = pending();
      send({ type: "metrics_requested" });
    }
    return asked.response;
  }

  function receive(text: string | undefined): void {
    const received = text === undefined ? undefined : parseExposition(text);
    if (received) place.latest = received;
    asked?.settle(received);
    asked = undefined;
  }

  child.on("message", (message: ToSupervisor) => {
    // After the exit the totals are final: a late response must not be added to the totals.
    if (ended) return;
    if (message.type === "started") place.ask = ask;
    if (message.type === "metrics") receive(message.text);
    if (message.type === "all_metrics_requested")
      void collect().then(
        (text) => send({ type: "all_metrics", text }),
        () => send({ type: "all_metrics" }),
      );
  });
  child.once("exit", () => {
    ended = true;
    place.ended = addTotals(place.ended, place.latest);
    place.latest = new Map();
    place.ask = undefined;
    asked?.settle(undefined);
  });
}

/** The process's side. `own` returns the metrics of this process. */
export function processMetrics(own: () => Promise<string>) {
  let asked: Pending<string | undefined> | undefined;
  const send = (message: ToSupervisor) => {
    if (process.connected) process.send?.(message);
  };

  process.on("message", (message: ToProcess) => {
    if (message.type === "metrics_requested")
      void own().then(
        (text) => send({ type: "metrics", text }),
        () => send({ type: "metrics" }),
      );
    if (message.type === "all_metrics") {
      asked?.settle(message.text);
      asked = undefined;
    }
  });

  return {
    /** To be called once requests are served. */
    started: () => send({ type: "started" }),
    /** The metrics of all processes. Rejects if the supervisor does not respond: a part of a sum would be a reset. */
    async all(): Promise<string> {
      if (!asked) {
        asked = pending();
        send({ type: "all_metrics_requested" });
      }
      const text = await within(ALL_METRICS_DEADLINE_MS, asked.response, undefined);
      if (text === undefined) throw new Error("the supervising process did not respond with the metrics");
      return text;
    },
  };
}
