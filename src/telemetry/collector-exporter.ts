import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config';

export const EXPORT_TIMEOUT_MS = 3_000;

/**
 * Sends batches to a collector as OTLP/HTTP in JSON. A batch that the collector does not accept is lost. No body of a reply is read: the SDK's
 * exporters read up to 4 MiB, and their timeout does not end a slow reply.
 */
class CollectorExporter<Batch> {
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly serialize: (batch: Batch) => Uint8Array | undefined,
  ) {}

  async export(batch: Batch, done: (result: ExportResult) => void): Promise<void> {
    done(await this.send(batch));
  }

  /** `export` calls back for each batch, and nothing else is pending. */
  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }

  private async send(batch: Batch): Promise<ExportResult> {
    try {
      const { ok, status, body } = await fetch(this.url, {
        method: 'POST',
        headers: { ...this.headers, 'Content-Type': 'application/json' },
        body: Buffer.from(this.serialize(batch) ?? []),
        redirect: 'error',
        signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
      });
      await body?.cancel();
      if (!ok) throw new Error(`the collector answered ${status}`);
      return { code: ExportResultCode.SUCCESS };
    } catch (error) {
      return { code: ExportResultCode.FAILED, error: error as Error };
    }
  }
}

type Otlp = NonNullable<Config['otlp']>;

export const createSpanExporter = ({ endpoint, headers }: Otlp): SpanExporter =>
  new CollectorExporter<ReadableSpan[]>(`${endpoint}/v1/traces`, headers, (spans) => JsonTraceSerializer.serializeRequest(spans));

export const createMetricExporter = ({ endpoint, headers }: Otlp): PushMetricExporter =>
  new CollectorExporter<ResourceMetrics>(`${endpoint}/v1/metrics`, headers, (metrics) => JsonMetricsSerializer.serializeRequest(metrics));
