import type { Connection } from './connection';

/**
 * After an endpoint sent unexpected bytes, its connections are not reused for this time, ms. Late bytes could be read as the reply to the
 * next POST.
 */
const DISTRUST_MS = 10 * 60_000;

/** The connections of one endpoint. After `closeConnections` they are not reused. */
export interface EndpointConnections {
  /** Idle connections. The most recently used one is taken first, so the unneeded ones expire. */
  idle: Connection[];
  attempts: number;
  isClosed: boolean;
}

/** Idle connections by endpoint. A connection serves one endpoint and URL. The total number is limited. */
export class ConnectionPool {
  private readonly endpoints = new Map<string, EndpointConnections>();
  /** Longest idle first. */
  private readonly idle = new Set<Connection>();
  /** Endpoints whose connections are not reused, with the monotonic time at which this ends. */
  private readonly distrusted = new Map<string, number>();

  constructor(
    private readonly maxIdle: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** The caller must call `release` after the attempt. */
  acquire(endpointId: string): EndpointConnections {
    const endpoint = this.endpoints.get(endpointId) ?? { idle: [], attempts: 0, isClosed: false };
    this.endpoints.set(endpointId, endpoint);
    endpoint.attempts += 1;
    return endpoint;
  }

  release(endpointId: string, endpoint: EndpointConnections): void {
    endpoint.attempts -= 1;
    this.removeIfUnused(endpointId, endpoint);
  }

  /** Takes an idle connection for this URL; null if a new one is needed. */
  takeIdle(endpoint: EndpointConnections, url: string): Connection | null {
    for (const connection of endpoint.idle) if (!connection.isReusable) connection.close();
    const index = endpoint.idle.findLastIndex((connection) => connection.url === url && connection.isReusable);
    const [connection] = index < 0 ? [] : endpoint.idle.splice(index, 1);
    if (connection === undefined) return null;
    this.idle.delete(connection);
    connection.setIdle(false);
    return connection;
  }

  /** Keeps the connection for the next POST, or closes it if it cannot be reused. */
  returnConnection(endpointId: string, endpoint: EndpointConnections, connection: Connection): void {
    if (connection.hasViolatedProtocol) this.distrust(endpointId);
    if (endpoint.isClosed || !connection.isReusable || this.isDistrusted(endpointId)) return connection.close();
    connection.onClosed = () => this.removeIdle(endpointId, endpoint, connection);
    connection.setIdle(true);
    endpoint.idle.push(connection);
    this.idle.add(connection);
    if (this.idle.size > this.maxIdle) this.closeLongestIdle();
  }

  private closeLongestIdle(): void {
    const [longest] = this.idle;
    longest?.close();
    longest?.onClosed();
  }

  closeEndpoint(endpointId: string): void {
    this.distrusted.delete(endpointId);
    const endpoint = this.endpoints.get(endpointId);
    if (endpoint === undefined) return;
    endpoint.isClosed = true;
    this.endpoints.delete(endpointId);
    for (const connection of endpoint.idle) connection.close();
  }

  closeAll(): void {
    for (const endpointId of this.endpoints.keys()) this.closeEndpoint(endpointId);
  }

  private distrust(endpointId: string): void {
    this.distrusted.set(endpointId, this.monotonicMs() + DISTRUST_MS);
    for (const connection of this.endpoints.get(endpointId)?.idle ?? []) connection.close();
  }

  private isDistrusted(endpointId: string): boolean {
    const untilMs = this.distrusted.get(endpointId);
    if (untilMs === undefined) return false;
    if (this.monotonicMs() < untilMs) return true;
    this.distrusted.delete(endpointId);
    return false;
  }

  private removeIdle(endpointId: string, endpoint: EndpointConnections, connection: Connection): void {
    if (connection.hasViolatedProtocol) this.distrust(endpointId);
    if (!this.idle.delete(connection)) return;
    endpoint.idle = endpoint.idle.filter((other) => other !== connection);
    this.removeIfUnused(endpointId, endpoint);
  }

  private removeIfUnused(endpointId: string, endpoint: EndpointConnections): void {
    const isUnused = endpoint.attempts === 0 && endpoint.idle.length === 0;
    if (isUnused && this.endpoints.get(endpointId) === endpoint) this.endpoints.delete(endpointId);
  }
}
