import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Link,
  type Span,
} from '@opentelemetry/api';

export { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';

/** Creates no spans until `Telemetry` has registered an exporter. */
const tracer = trace.getTracer('trade-print');

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** A `traceparent`; the span has no parent if it is null or invalid. Default: the active span. */
  parent?: string | null;
  /** Stored contexts of earlier work, in their own traces. */
  links?: readonly string[];
}

/** Work that starts later than this after a stored context has its own trace, with a link, ms. */
const SAME_TRACE_MS = 5 * 60_000;

/** The parent or link of work that starts at `nowMs`, after a change whose trace context is stored. */
export function continueOrLink(traceContext: string | null, changedAt: Date, nowMs: number): Pick<SpanOptions, 'parent' | 'links'> {
  const isSameTrace = nowMs - changedAt.getTime() < SAME_TRACE_MS;
  return isSameTrace ? { parent: traceContext } : { parent: null, ...linkTo(traceContext) };
}

export const linkTo = (traceContext: string | null): Pick<SpanOptions, 'links'> => (traceContext === null ? {} : { links: [traceContext] });

let callerSampleRatio = 1;

/** @param ratio the share of callers' traces that are sampled */
export function setCallerSampling(ratio: number): void {
  callerSampleRatio = ratio;
}

/** The `traceparent` of a caller, with our own decision about sampling: its id and flags are the caller's choice. */
export function continueCaller(traceparent: string): string {
  const flags = Math.random() < callerSampleRatio ? '01' : '00';
  return traceparent.replace(/-[0-9a-f]{2}$/, `-${flags}`);
}

/** Whether spans are created. */
export const isTracing = (): boolean => propagation.fields().length > 0;

/** Runs `work` in a span that is active until its result. A thrown error is the span's error. */
export async function inSpan<T>(
  name: string,
  { kind, attributes, parent, links }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parentContext = parent === undefined ? context.active() : extract(parent);
  const options = {
    kind: kind ?? SpanKind.INTERNAL,
    ...(attributes === undefined ? {} : { attributes }),
    ...(links === undefined ? {} : { links: links.flatMap(toLink) }),
  };
  return tracer.startActiveSpan(name, options, parentContext, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** As `inSpan`, but only as a part of an active span. */
export function inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan()?.isRecording() === true ? inSpan(name, options, work) : work();
}

/** The active span as a `traceparent` header (https://www.w3.org/TR/trace-context/); null without an exporter. */
export function activeTraceparent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? null;
}

/** Ids of the active span, for log lines. */
export function activeTraceIds(): { trace_id: string; span_id: string } | undefined {
  const spanContext = trace.getActiveSpan()?.spanContext();
  return spanContext === undefined ? undefined : { trace_id: spanContext.traceId, span_id: spanContext.spanId };
}

const extract = (traceparent: string | null) => propagation.extract(ROOT_CONTEXT, traceparent === null ? {} : { traceparent });

function toLink(traceparent: string): Link[] {
  const spanContext = trace.getSpanContext(extract(traceparent));
  return spanContext === undefined ? [] : [{ context: spanContext }];
}
