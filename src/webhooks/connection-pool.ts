import type { Connection } from './connection';

/**
 * How long the connections of an endpoint that says more than it was asked are not used again, ms. What it says may always
 * come a little later than one waits, and would then be read as the answer to the next POST.
 */
const DISTRUST_MS = 10 * 60_000;

/** The connections of one endpoint. Those of an endpoint that has been forgotten meanwhile are not kept. */
export interface EndpointConnections {
  /** Idle ones; the one used last is used first, so that those not needed grow old. */
  idle: Connection[];
  attempts: number;
  isClosed: boolean;
}

/** Idle connections, by endpoint. A connection serves one endpoint and URL only, and at most so many are kept in all. */
export class ConnectionPool {
  private readonly endpoints = new Map<string, EndpointConnections>();
  /** The one idle for longest comes first. */
  private readonly idle = new Set<Connection>();
  /** Until when, by the monotonic clock. */
  private readonly distrusted = new Map<string, number>();

  constructor(
    private readonly maxIdle: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** To be left when the attempt is over. */
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

  /** An idle connection for this URL, no longer idle; null where a new one is needed. */
  takeIdle(endpoint: EndpointConnections, url: string): Connection | null {
    for (const connection of endpoint.idle) if (!connection.isReusable) connection.close();
    const index = endpoint.idle.findLastIndex((connection) => connection.url === url && connection.isReusable);
    const [connection] = index < 0 ? [] : endpoint.idle.splice(index, 1);
    if (connection === undefined) return null;
    this.idle.delete(connection);
    connection.setIdle(false);
    return connection;
  }

  /** Keeps it for the next POST, or closes it if it must not have another. */
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
