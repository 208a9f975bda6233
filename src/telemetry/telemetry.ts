import { randomUUID } from 'node:crypto';
import { context, propagation, trace, type Meter } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
  type AggregationTemporalitySelector,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config';
import type { Logger } from '../platform/logger';
import { RELEASE } from '../platform/version';
import { createMetricExporter, createSpanExporter, EXPORT_TIMEOUT_MS } from './collector-exporter';
import { withUnitSuffix } from './metrics';
import { setCallerSampling } from './tracing';

const METER_NAME = 'trade-print';
const EXPORT_INTERVAL_MS = 15_000;
/** Failures are logged at most once in this time, ms. */
const ERROR_LOG_INTERVAL_MS = 60_000;

/** Gauges report only what was observed in this collection. Cumulative ones would repeat the last value of a series that has ended. */
const temporalityOf: AggregationTemporalitySelector = (type) =>
  type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;

/** Omits the label `otel_scope_name`, because the service has one meter. */
const prometheusSerializer = new PrometheusSerializer(undefined, false, undefined, false, true);

/** Collects when Prometheus asks. */
class ScrapeReader extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: temporalityOf });
  }

  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

/**
 * Metrics of one process for Prometheus and, if OTEL_EXPORTER_OTLP_ENDPOINT is set, metrics and traces for a collector. Without the setting
 * no span is created.
 */
export class Telemetry {
  readonly meter: Meter;
  private readonly meterProvider: MeterProvider;
  private readonly scrapeReader = new ScrapeReader();
  private readonly logError: (error: unknown, message: string) => void;
  private readonly tracerProvider: TracerProvider | null;

  /** @param processName `api`, `worker`, `relay` or `inspector`; `service.name` is `trade-print-` and this name */
  constructor(processName: string, otlp: Config['otlp'], logger: Logger) {
    const resource = resourceFromAttributes({
      'service.name': `trade-print-${processName}`,
      'service.version': RELEASE.version,
      'service.instance.id': randomUUID(),
      'vcs.ref.head.revision': RELEASE.commit,
    });
    this.logError = rarely((error, message) => logger.warn({ err: error }, message));
    setGlobalErrorHandler((error) => this.logError(error, 'exporting telemetry to OTEL_EXPORTER_OTLP_ENDPOINT failed'));
    const readers = otlp === null ? [] : [createMetricReader(otlp)];
    this.meterProvider = new MeterProvider({ resource, readers: [this.scrapeReader, ...readers] });
    this.meter = this.meterProvider.getMeter(METER_NAME);
    this.tracerProvider = otlp === null ? null : registerTracing(resource, otlp);
  }

  /** All metrics in the Prometheus text format. */
  async prometheusText(): Promise<string> {
    const { resourceMetrics, errors } = await this.scrapeReader.collect();
    for (const error of errors) this.logError(error, 'reading a metric failed');
    return prometheusSerializer.serialize(withUnitSuffixes(resourceMetrics));
  }

  /** Exports pending spans and metrics. A collector that does not answer delays it by EXPORT_TIMEOUT_MS. */
  async close(): Promise<void> {
    await Promise.allSettled([this.meterProvider.shutdown(), this.tracerProvider?.shutdown()]);
    if (this.tracerProvider === null) return;
    trace.disable();
    context.disable();
    propagation.disable();
  }
}

/** Drops calls within ERROR_LOG_INTERVAL_MS of the last one. */
function rarely(log: (error: unknown, message: string) => void): (error: unknown, message: string) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error, message) => {
    if (performance.now() - loggedAtMs < ERROR_LOG_INTERVAL_MS) return;
    loggedAtMs = performance.now();
    log(error, message);
  };
}

type Otlp = NonNullable<Config['otlp']>;

function createMetricReader(otlp: Otlp): PeriodicExportingMetricReader {
  const exporter = Object.assign(createMetricExporter(otlp), { selectAggregationTemporality: temporalityOf });
  return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: EXPORT_INTERVAL_MS, exportTimeoutMillis: EXPORT_TIMEOUT_MS });
}

/** Only `traceparent` is read, without baggage. `continueCaller` decides whether a caller's trace is sampled. */
function registerTracing(resource: Resource, otlp: Otlp): TracerProvider {
  setCallerSampling(otlp.sampleRatio);
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(otlp.sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: createSpanExporter(otlp), exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return provider;
}

function withUnitSuffixes(collected: ResourceMetrics): ResourceMetrics {
  const rename = (metric: MetricData): MetricData => {
    const { name, unit } = metric.descriptor;
    return { ...metric, descriptor: { ...metric.descriptor, name: withUnitSuffix(name, unit), unit: '' } };
  };
  return { ...collected, scopeMetrics: collected.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(rename) })) };
}
