import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import { headSampler } from "./head-sampling.ts";
import { spanClock } from "./span-clock.ts";

/** The part of the telemetry that creates spans. */
export interface Tracing {
  /**
   * Runs work in the server span of a request, if the request is sampled. The W3C trace context of a trusted peer is
   * the parent, and the sampler follows the parent. The context of any other peer becomes a link from a new trace: an
   * untrusted client controls neither sampling nor trace ids (W3C Trace Context, section 3.4, "Restart trace").
   */
  inRequestSpan<T>(context: RequestAttributes, work: () => Promise<T>, statusOf: (result: T) => number): Promise<T>;
  inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that a request caused and that continues after the request, such as the delivery of an email, in a span
   * of a separate trace, with a link to the span of the request. `cause`: the `traceparent` of the request; without
   * `cause`, or for an unsampled request, there is no span.
   */
  inLinkedSpan<T>(
    span: { readonly name: string; readonly attributes: Attributes; readonly cause: string | undefined },
    work: () => Promise<T>,
  ): Promise<T>;
  /** Adds attributes to the active span, if any; `error.type` marks the span as failed. */
  annotate(attributes: Attributes): void;
  /** `traceparent` of the active span (W3C Trace Context): to be stored for `inLinkedSpan`, or for an answer. */
  activeTraceparent(): string | undefined;
  /** Trace and span id of the active span, for log lines. */
  activeIds(): { readonly trace_id: string; readonly span_id: string } | undefined;
}

export interface RequestAttributes {
  readonly method: string;
  /** The route template, never the path. */
  readonly route: string;
  readonly headers: Headers;
  readonly requestId: string;
  /** Whether the trace context of the peer is accepted as parent; called only for a request with a context. */
  readonly trusted: () => boolean;
}

export interface TracingOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether traces are exported. The SDK reads exporter and endpoint from OTEL_*. */
  readonly traces: boolean;
  /**
   * The share of sampled requests among requests without a parent, 0 to 1. Decided before a span exists, because a span
   * that the SDK then drops costs a tenth of a session check. Without the share the SDK's sampler decides, by OTEL_*.
   */
  readonly sampledRatio?: number | undefined;
}

const headerGetter: TextMapGetter<Headers> = {
  get: (headers, key) => headers.get(key) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Creates spans of the tracer registered by `startTracing`. `address`: address of the service for clients. */
export function openTracing(options: TracingOptions, address: Attributes): Tracing {
  const tracer = trace.getTracer(options.serviceName, options.serviceVersion);
  const now = spanClock(options.clock);
  const isSampledRoot =
    options.sampledRatio === undefined ? () => true : headSampler(options.sampledRatio, options.random);

  function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    // Outside of a sampled request no span would be exported.
    if (!options.traces || !trace.getActiveSpan()) return work();
    return runInSpan(tracer.startSpan(name, { kind, attributes, startTime: now() }), now, work);
  }

  return {
    inSpan,
    inRequestSpan(context, work, statusOf) {
      if (!options.traces) return work();
      const { parent, links, isTrusted } = receivedContext(context);
      if (!isTrusted && !isSampledRoot()) return work();
      const name = `${context.method} ${context.route}`;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, links, startTime: now() }, parent);
      // Not sampled, by the sampler or a trusted peer: the request runs without a context.
      if (!span.isRecording()) return work();
      span.setAttributes({
        "http.request.method": context.method,
        "http.route": context.route,
        "service.request.id": context.requestId,
        ...address,
      });
      return runInSpan(span, now, async () => {
        const result = await work();
        markStatus(span, statusOf(result));
        return result;
      });
    },
    inLinkedSpan({ name, attributes, cause }, work) {
      const link = options.traces && cause !== undefined ? linkToCause(cause) : undefined;
      if (!link) return work();
      const startedAt = { kind: SpanKind.CONSUMER, attributes, links: [link], root: true, startTime: now() };
      return runInSpan(tracer.startSpan(name, startedAt), now, work);
    },
    annotate(attributes) {
      const span = options.traces ? trace.getActiveSpan() : undefined;
      span?.setAttributes(attributes);
      if (attributes["error.type"] !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    activeTraceparent() {
      const active = options.traces ? trace.getActiveSpan()?.spanContext() : undefined;
      return active && `00-${active.traceId}-${active.spanId}-${isSampled(active) ? "01" : "00"}`;
    },
    activeIds() {
      const active = trace.getActiveSpan()?.spanContext();
      return active && { trace_id: active.traceId, span_id: active.spanId };
    },
  };
}

/** Parent or link of the span of a request. */
interface ReceivedContext {
  readonly parent: Context;
  readonly links: Link[];
  /** Whether the parent comes from a trusted peer, which has decided on sampling. */
  readonly isTrusted: boolean;
}

function receivedContext({ headers, trusted }: RequestAttributes): ReceivedContext {
  const parent = context.active();
  if (!headers.has("traceparent")) return { parent, links: [], isTrusted: false };
  const received = propagation.extract(parent, headers, headerGetter);
  const remote = trace.getSpanContext(received);
  if (!remote) return { parent, links: [], isTrusted: false };
  if (trusted()) return { parent: received, links: [], isTrusted: true };
  // Only the ids: `tracestate` is free text of the client.
  const { traceId, spanId, traceFlags } = remote;
  return { parent, links: [{ context: { traceId, spanId, traceFlags, isRemote: true } }], isTrusted: false };
}

/** A link to the span of a `traceparent` that this service stored; undefined if the span was not sampled. */
function linkToCause(traceparent: string): Link | undefined {
  const context = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
  return context && isSampled(context) ? { context } : undefined;
}

function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Runs the work with the span active, so that inner spans become children, and always ends the span. */
async function runInSpan<T>(span: Span, now: () => number, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", errorType(error));
    throw error;
  } finally {
    span.end(now());
  }
}

/** Codes of PostgreSQL (SQLSTATE), of the driver and of sockets. */
const ERROR_CODE = /^[A-Z0-9_]{2,40}$/;

/** Only the code or the type: messages of drivers can quote client input. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && ERROR_CODE.test(String(error.code)) ? String(error.code) : error.name;
}

function markStatus(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status < 500) return;
  span.setAttribute("error.type", String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * The SDK is imported only here: without tracing the SDK costs neither memory nor start-up time. `decidesRoots`:
 * whether the SDK's sampler decides on spans without a parent; if not, the sampler takes all root spans and follows the
 * parents of child spans.
 */
export async function startTracing(resource: Resource, decidesRoots: boolean): Promise<() => Promise<void>> {
  const { NodeSDK, tracing } = await import("@opentelemetry/sdk-node");
  const followsParents = new tracing.ParentBasedSampler({ root: new tracing.AlwaysOnSampler() });
  const sdk = new NodeSDK({
    ...(decidesRoots ? {} : { sampler: followsParents }),
    // Not `serviceName`: the SDK would prefer `serviceName` to OTEL_SERVICE_NAME.
    resource,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}
