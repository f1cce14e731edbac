import type { Table } from '../data/table/table.ts';
import type { EndpointRecord } from '../data/webhooks/endpoint-row.ts';
import type { EndpointRef } from '../data/webhooks/endpoint-state-row.ts';
import type { Clock } from '../platform/clock.ts';
import type { DelayedDelivery } from './delivery-messages.ts';
import type { Send } from './send.ts';

/** What delivering stands on. */
export interface DeliveryDeps {
  readonly table: Table;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly send: Send;
  /** An endpoint's secrets, to sign with. */
  readonly openSecrets: (orgId: string, endpointId: string, sealed: readonly string[]) => Promise<string[]>;
  readonly sendRetries: (messages: readonly DelayedDelivery[]) => Promise<void>;
  readonly wakeBacklog: (ref: EndpointRef, delaySeconds?: number) => Promise<void>;
  /** The endpoint as the API shows it: notices about it carry it. */
  readonly describe: (endpoint: EndpointRecord) => Readonly<Record<string, unknown>>;
}
