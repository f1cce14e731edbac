import type { Table } from '../data/table/table.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import type { Clock } from '../platform/clock.ts';
import type { DelayedDelivery, WokenBacklog } from './delivery-messages.ts';
import type { Send } from './send.ts';

/** The dependencies of webhook delivery. */
export interface DeliveryDeps {
  readonly table: Table;
  readonly clock: Clock;
  /** The time of receivers, which compare it with the time of the signature. */
  readonly receiversClock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly send: Send;
  /** Decrypts the signing secrets of an endpoint. */
  readonly openSecrets: (orgId: string, endpointId: string, sealed: readonly string[]) => Promise<string[]>;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly wakeBacklog: (backlog: WokenBacklog, delaySeconds?: number) => Promise<void>;
  /** Maps the endpoint to its API resource, for the events about it. */
  readonly describe: (endpoint: EndpointRecord) => Readonly<Record<string, unknown>>;
}
