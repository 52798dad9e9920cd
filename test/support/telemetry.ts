import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { startTelemetry } from "../../src/telemetry/telemetry.ts";

/** Returns telemetry without an exporter, for parts that are tested without a replica. */
export function silentTelemetry() {
  return startTelemetry({
    serviceName: "test",
    serviceVersion: "0",
    publicBaseUrl: "http://localhost:3000",
    clock: systemClock,
    random: systemRandom(systemClock),
    traces: false,
    otlpMetrics: false,
  });
}
