import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen';

/** A span as OTLP/HTTP sends it in JSON, with its attributes by name. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  links: { traceId: string }[];
  /** Code 2 is an error. */
  status: { code?: number };
  attributes: Record<string, unknown>;
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes'> {
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Receives traces over OTLP/HTTP, as a collector does. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans = [] } = JSON.parse(body) as { resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans.map(readSpan));
      response.end('{}');
    });
  });
  return {
    spans,
    url: `http://${await listen(server)}`,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

function readSpan(span: OtlpSpan): ReceivedSpan {
  return { ...span, attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])) };
}
