import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MixedRequest } from './mixed-traffic.ts';

/** What happened to the requests of one period. */
export interface LoadResult {
  readonly sent: number;
  /** Answered as intended, or with a refusal of the service itself such as 409. */
  readonly answered: number;
  /** 429 of the gateway. */
  readonly throttled: number;
  /** 5xx, and requests without a response within the time limit. */
  readonly failed: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds from sending to the response, sorted. */
  readonly durationsMs: readonly number[];
  /** The same, of the responses with 429 only. */
  readonly throttledMs: readonly number[];
}

/** What a patient client waits. */
const timeLimitMs = 20_000;

/** Sends requests at a constant rate, whatever the responses, as independent clients do. Waits for all responses at the end. */
export async function sendAtRate(
  next: () => MixedRequest,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const statuses: Record<string, number> = {};
  const durationsMs: number[] = [];
  const throttledMs: number[] = [];
  const inProgress = new Set<Promise<void>>();
  const startedMs = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let sent = 0; sent < total; sent += 1) {
    const dueMs = startedMs + (sent / perSecond) * 1000;
    if (dueMs > performance.now()) await sleep(dueMs - performance.now());
    const sentMs = performance.now();
    const exchange: Promise<void> = send(agent, next())
      .then((status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        durationsMs.push(performance.now() - sentMs);
        if (status === '429') throttledMs.push(performance.now() - sentMs);
      })
      .finally(() => inProgress.delete(exchange));
    inProgress.add(exchange);
  }
  await Promise.all(inProgress);
  agent.destroy();
  const count = (test: (status: string) => boolean): number =>
    Object.entries(statuses).reduce((sum, [status, times]) => sum + (test(status) ? times : 0), 0);
  const throttled = count((status) => status === '429');
  const failed = count((status) => status === 'none' || status.startsWith('5'));
  return {
    sent: total,
    answered: total - throttled - failed,
    throttled,
    failed,
    statuses,
    durationsMs: durationsMs.sort((a, b) => a - b),
    throttledMs: throttledMs.sort((a, b) => a - b),
  };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function send(agent: Agent, { method, url, key, body, onResponse }: MixedRequest): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': Buffer.byteLength(body),
      }),
    };
    const outgoing = request(url, { agent, method, headers, timeout: timeLimitMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => resolve('none'));
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        onResponse?.(status, Buffer.concat(chunks).toString('utf8'));
        resolve(String(status));
      });
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve('none'));
    outgoing.end(body);
  });
}
