import type { StageSecretName } from '../domain/stage-secrets.ts';
import type { Access, KeyKind } from '../domain/table-access.ts';
import type { WalletName } from '../domain/wallets/wallet.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { DeliveryQueueName } from '../domain/webhooks/queues.ts';
import type { EntryOf } from '../domain/with-defaults.ts';
import type { BusQueueName } from './queues.ts';

/** What invokes a worker. */
export type WorkerSource =
  | {
      readonly kind: 'stream';
      /** Only these changes of items of these kinds. */
      readonly changes: Readonly<Partial<Record<KeyKind, readonly ('INSERT' | 'MODIFY')[]>>>;
      /** How long records are collected into one batch; not at all by default. */
      readonly windowSeconds?: number;
      /** How often a failed batch is retried before it is dropped. Without it, retries continue for half an hour. */
      readonly maxRetries?: number;
      /** How many batches of one shard of the stream are handled at once; one by default. Changes of one item stay in order. */
      readonly parallelBatches?: number;
    }
  | {
      readonly kind: 'queue';
      readonly queue: BusQueueName | DeliveryQueueName;
      readonly batchSize: number;
      /** The maximum number of concurrent batches, on a guarded stage and on others. */
      readonly concurrency: { readonly guarded: number; readonly other: number };
    }
  | {
      readonly kind: 'schedule';
      readonly everyMinutes: number;
      /** It also runs as soon as an event of these types is on the bus. */
      readonly after?: readonly WebhookEventType[];
    }
  | {
      /** A path of the API that is not an operation: a page for fans, or what the payment provider calls. */
      readonly kind: 'route';
      readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
      readonly path: string;
      /** Whether its responses are files, whose bytes are sent as they are (file-route.ts). */
      readonly streamed?: true;
      /** Only a stage with this payment provider has the route and its function; without one, every stage has them. */
      readonly provider?: PaymentProviderName;
    };

/** The payment provider of a stage. */
export type PaymentProviderName = 'sandbox' | 'stripe';

/**
 * The registry entry of one function that is not an operation of the API. Its function, grants, source and alarms are generated from it, as
 * for operations.
 */
export interface Worker {
  /** Also the construct id and the log field. */
  readonly id: string;
  /** The handler's file in `functions/`. Workers with the same task for different queues share one. */
  readonly module: string;
  readonly summary: string;
  readonly source: WorkerSource;
  readonly effects: WorkerEffects;
  readonly runtime: {
    readonly timeoutSeconds: number;
    /** The reserved concurrency on a guarded stage, as that of operations; undefined for none. */
    readonly concurrency: number | undefined;
    readonly raisedForSale: boolean;
  };
}

/** What the function does to the rest of the system. Its role allows this and nothing else. */
interface WorkerEffects {
  /** The grants of the functions that it calls, from the `access.ts` of their folders. */
  readonly access: readonly Access[];
  /** Whether it puts events on the bus. */
  readonly publishes: boolean;
  /** The queues that it sends to. */
  readonly sends: readonly DeliveryQueueName[];
  /** Whether it tells phones, some in each run, and sends the rest to the queue that it reads. */
  readonly tellsPhones: PhonePace | undefined;
  /** The secrets whose keys it opens or signs with. */
  readonly secrets: readonly StageSecretName[];
  /** Whether it calls the payment provider. */
  readonly usesPayments: boolean;
  /** The wallets whose passes it signs. */
  readonly wallets: readonly WalletName[];
  /** Whether it puts the public address of the stage into a file that is kept outside. */
  readonly namesAddress: boolean;
  /** Whether it calls the API at its public address, as a client does. */
  readonly callsApi: boolean;
  /** Whether it invokes the functions of the stage to keep them warm. */
  readonly warmsFunctions: boolean;
}

/** How many phones a worker tells in a second. Each calls at once the route that answers it. */
export interface PhonePace {
  /** With the full reservation of that route; an account with less tells fewer (lib/concurrency-plan.ts). */
  readonly perSecond: number;
  readonly answeredBy: string;
}

/** What an entry may leave out, and its value then. The type of an entry is derived from this object. */
const defaults = {
  effects: {
    access: [],
    publishes: false,
    sends: [],
    tellsPhones: undefined,
    secrets: [],
    usesPayments: false,
    wallets: [],
    namesAddress: false,
    callsApi: false,
    warmsFunctions: false,
  },
  runtime: { timeoutSeconds: 30, concurrency: undefined, raisedForSale: false },
} as const;

/** Whether a stage with this payment provider has the worker. */
export function isDeployedWith({ source }: Worker, provider: PaymentProviderName): boolean {
  return source.kind !== 'route' || source.provider === undefined || source.provider === provider;
}

export function defineWorker(entry: EntryOf<Worker, typeof defaults>): Worker {
  return {
    ...entry,
    effects: { ...defaults.effects, ...entry.effects },
    runtime: { ...defaults.runtime, ...entry.runtime },
  };
}
