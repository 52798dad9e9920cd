import { describe, expect, test } from "bun:test";
import { addTotals, joinExpositions, parseExposition } from "../../src/telemetry/exposition.ts";

const text = (requests: number, seconds: number, queue: number) => `# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="identity service"} 1
# HELP requests_total Requests, } and "quoted"
# TYPE requests_total counter
requests_total{route="/a b}"} ${requests}
# HELP duration Duration
# UNIT duration s
# TYPE duration histogram
duration_count{route="/"} ${requests}
duration_sum{route="/"} ${seconds}
duration_bucket{route="/",le="0.1"} 0
duration_bucket{route="/",le="+Inf"} ${requests}
# HELP queue Jobs
# TYPE queue gauge
queue{pool="hash"} ${queue}
# HELP bare Without labels
# TYPE bare gauge
bare ${queue}
`;

const metrics = (number: number, requests: number, seconds = 1, queue = number) => {
  const exposition = parseExposition(text(requests, seconds, queue));
  return { number, exposition, totals: addTotals(new Map(), exposition) };
};

describe("the metrics of several processes", () => {
  test("are one text: totals summed, gauges by process, one description of the service", () => {
    expect(joinExpositions([metrics(1, 3, 0.5), metrics(2, 4, 0.25)])).toBe(`# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="identity service"} 1
# HELP requests_total Requests, } and "quoted"
# TYPE requests_total counter
requests_total{route="/a b}"} 7
# HELP duration Duration
# UNIT duration s
# TYPE duration histogram
duration_count{route="/"} 7
duration_sum{route="/"} 0.75
duration_bucket{route="/",le="0.1"} 0
duration_bucket{route="/",le="+Inf"} 7
# HELP queue Jobs
# TYPE queue gauge
queue{pool="hash",service_process="1"} 1
queue{pool="hash",service_process="2"} 2
# HELP bare Without labels
# TYPE bare gauge
bare{service_process="1"} 1
bare{service_process="2"} 2
# HELP service_process_up 1 if the process responded with its metrics in time
# TYPE service_process_up gauge
service_process_up{service_process="1"} 1
service_process_up{service_process="2"} 1
`);
  });

  test("keep the totals of a silent process, without the gauges of this process", () => {
    const joined = joinExpositions([metrics(1, 3), { ...metrics(2, 4), exposition: undefined }]);
    expect(joined).toContain('requests_total{route="/a b}"} 7\n');
    expect(joined).toContain('service_process_up{service_process="2"} 0\n');
    expect(joined.match(/^queue\{.*$/gm)).toEqual(['queue{pool="hash",service_process="1"} 1']);
  });

  test("are totals only while no process responds", () => {
    const joined = joinExpositions([{ ...metrics(1, 3), exposition: undefined }]);
    expect(joined).toContain('# TYPE requests_total counter\nrequests_total{route="/a b}"} 3\n');
    expect(joined).not.toContain("queue{");
  });

  test("do not fall by a rounding error when the process of either place is replaced", () => {
    const [one, two] = [metrics(1, 1, 0.1), metrics(2, 1, 0.7)];
    const sum = (places: Parameters<typeof joinExpositions>[0]) =>
      Number(/^duration_sum\S* (.*)$/m.exec(joinExpositions(places))?.[1]);
    const ended = { number: 1, exposition: undefined, totals: addTotals(metrics(1, 1, 0.2).totals, one.totals) };
    const before = sum([ended, two]);
    const fresh = metrics(2, 0, 0);
    const replaced = { ...fresh, totals: addTotals(two.totals, fresh.totals) };
    expect(sum([ended, replaced])).toBe(before);
  });
});
