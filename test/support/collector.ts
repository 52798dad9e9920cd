/** An OTLP receiver that stores the spans of the replicas. */
import { randomBytes } from "node:crypto";
import { until } from "./waiting.ts";

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: { readonly traceId: string; readonly spanId: string }[];
}

interface ExportedTraces {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: CollectedSpan[] }[] }[];
}

export class Collector {
  readonly spans: CollectedSpan[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        if (new URL(request.url).pathname === "/v1/traces") this.#receive((await request.json()) as ExportedTraces);
        return Response.json({});
      },
    });
  }

  /** Returns settings of a replica that exports every span to this receiver and accepts the trace context of a test. */
  get settings(): Record<string, string> {
    return {
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_EXPORTER_OTLP_ENDPOINT: this.#server.url.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      SERVICE_TRUSTED_PROXIES: "127.0.0.1",
    };
  }

  /** Runs a request in a new trace; returns the spans of the trace after the span of the request has arrived. */
  async traceOf(request: (headers: Record<string, string>) => Promise<unknown>): Promise<Trace> {
    const traceId = randomBytes(16).toString("hex");
    await request({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    const ofTrace = () => this.spans.filter((span) => span.traceId === traceId);
    const rootOf = () => ofTrace().find(({ parentSpanId }) => parentSpanId === "00f067aa0ba902b7");
    await until("the spans arrive", async () => rootOf() !== undefined);
    const root = rootOf();
    if (!root) throw new Error("the trace has no root");
    return new Trace(root, ofTrace);
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  #receive(traces: ExportedTraces): void {
    for (const { scopeSpans } of traces.resourceSpans)
      for (const { spans } of scopeSpans) for (const span of spans) this.spans.push(span);
  }
}

export class Trace {
  readonly root: CollectedSpan;
  readonly #collected: () => readonly CollectedSpan[];

  constructor(root: CollectedSpan, collected: () => readonly CollectedSpan[]) {
    this.root = root;
    this.#collected = collected;
  }

  /** All spans that have arrived. Spans of work that a response does not wait for arrive later. */
  get spans(): readonly CollectedSpan[] {
    return this.#collected();
  }

  /**
   * Returns the names of the spans, indented by depth. Siblings are sorted by name, because some siblings run
   * concurrently.
   */
  tree(): string[] {
    const below = (parent: CollectedSpan, indent: string): string[] =>
      this.spans
        .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
        .sort((a, b) => a.name.localeCompare(b.name))
        .flatMap((span) => [indent + span.name, ...below(span, `${indent}  `)]);
    return [this.root.name, ...below(this.root, "  ")];
  }

  /** Returns the share of the request's duration during which a child span ran. */
  accountedFor(): number {
    const begin = BigInt(this.root.startTimeUnixNano);
    const at = (nanoseconds: string) => Number(BigInt(nanoseconds) - begin);
    const total = at(this.root.endTimeUnixNano);
    const parts = this.spans
      .filter((span) => span !== this.root)
      .map((span) => ({ from: at(span.startTimeUnixNano), to: Math.min(at(span.endTimeUnixNano), total) }))
      .sort((a, b) => a.from - b.from);
    let [covered, until] = [0, 0];
    for (const { from, to } of parts) {
      covered += Math.max(0, to - Math.max(from, until));
      until = Math.max(until, to);
    }
    return covered / total;
  }
}
