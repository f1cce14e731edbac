import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SimulatedTime } from '../../local/cloud/clock/simulated-time.ts';
import type { Random } from '../../local/cloud/dynamodb/physics/random.ts';
import type { WarmThroughput } from '../../local/cloud/dynamodb/physics/throughput.ts';
import { updateOverdueSoldOut, updateSoldOut } from '../../shared/data/events/sold-out.ts';
import { parseEventPartition } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Concurrencies } from '../../shared/domain/lambda-concurrency.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { serveWaitingLists, sweepWaitingLists } from '../../shared/sales/waiting-list/sweep-waiting-lists.ts';
import type { DeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { drawSeatsOfRecords } from '../../shared/workers/draw-seats.ts';
import { openPhysicalTable, type PhysicalTable } from '../../tools/fixtures/physical-table.ts';
import { newInstance, RetryCounter, runIn, separateInstances } from './instances.ts';
import { SimulatedApi, wholeMs } from './lambda.ts';

export interface SimulatedCloud {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly api: SimulatedApi;
  readonly retries: RetryCounter;
  readonly table: PhysicalTable;
  /** A table without latency, to prepare and to check the data. */
  readonly data: Table;
  openTable(): Table;
  /** What becomes of the deliveries that fan-out creates. Without it, their messages are dropped. */
  onDeliveries(send: (messages: readonly DeliveryMessage[]) => void): void;
  /** Lets the workers end after what they are doing. */
  stop(): Promise<void>;
}

interface CloudOptions {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly warmThroughput?: WarmThroughput;
  readonly requestsPerSecond?: number;
  readonly reserved?: Concurrencies;
}

/** The cloud of a simulation: the table with the physics of AWS, the API, and the workers that follow baskets and orders. */
export function startSimulatedCloud({ time, random, warmThroughput, ...limits }: CloudOptions): SimulatedCloud {
  separateInstances();
  const table = openPhysicalTable({ time, random, ...(warmThroughput && { warmThroughput }) });
  const retries = new RetryCounter();
  const openTable = (): Table =>
    countedTable(
      table.open(() => {}),
      retries,
    );
  const api = new SimulatedApi({ time, random, openTable, ...limits });
  let sendDeliveries = (_messages: readonly DeliveryMessage[]): void => {};
  const stop = startWorkers({ time, table, openTable, sendDeliveries: (messages) => sendDeliveries(messages) });
  const onDeliveries: SimulatedCloud['onDeliveries'] = (send) => {
    sendDeliveries = send;
  };
  return { time, random, api, retries, table, data: table.openDirectly(), openTable, onDeliveries, stop };
}

/** Counts what a request sends again, whether the SDK, a transaction or an optimistic update repeats it. */
function countedTable(table: Table, retries: RetryCounter): Table {
  const { client } = table;
  const send = client.send.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const counted = async (...args: readonly unknown[]): Promise<unknown> => {
    retries.begin();
    if (takesSeats(args[0])) retries.seatTakes += 1;
    try {
      return await send(...args);
    } catch (error) {
      if (isRefusal(error)) retries.refuse();
      throw error;
    }
  };
  return { ...table, client: Object.create(client, { send: { value: counted } }) };
}

/** Whether a transaction takes seats for a basket. It is sent again if somebody else was faster. */
function takesSeats(command: unknown): boolean {
  if (!(command instanceof TransactWriteCommand)) return false;
  return (command.input.TransactItems ?? []).some(
    ({ Update }) => String(Update?.Key?.pk).startsWith('SEA#') && Update?.UpdateExpression?.startsWith('SET #t0'),
  );
}

const refusals = new Set(['TransactionConflictException', 'ThrottlingException']);

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const codes =
    error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []).map(({ Code }) => Code) : [];
  return refusals.has(error.name) || codes.includes('TransactionConflict') || codes.includes('ThrottlingError');
}

interface Workers {
  readonly time: SimulatedTime;
  readonly table: PhysicalTable;
  openTable(): Table;
  sendDeliveries(messages: readonly DeliveryMessage[]): void;
}

const minuteMs = 60_000;
/** Twenty batches of ten events are fanned out at once (shared/workers/registry.ts). */
const fanOuts = 200;

/** process-table-changes collects changes for a second. */
const batchWindowMs = 1_000;

/** The schedules and the consumers of the stream. Their failures are left to the next minute, as on AWS. */
function startWorkers({ time, table, openTable, sendDeliveries }: Workers): () => Promise<void> {
  let isStopped = false;
  const running = new Set<Promise<void>>();
  const start = (work: () => Promise<unknown>): void => {
    const run: Promise<void> = runIn(newInstance(), work)
      .then(
        () => {},
        () => {},
      )
      .finally(() => running.delete(run));
    running.add(run);
  };
  const everyMinute = async (work: (own: Table) => Promise<unknown>): Promise<void> => {
    const own = openTable();
    while (!isStopped) {
      await time.sleep(minuteMs);
      if (!isStopped) start(() => work(own));
    }
  };
  void everyMinute((own) => sweepBaskets({ table: own, clock: wholeMs(time), payments: livePayments(own) }));
  void everyMinute((own) => updateOverdueSoldOut(own, unixSeconds(time)));
  void everyMinute((own) => sweepWaitingLists({ table: own, clock: wholeMs(time), hasTime: () => true }));
  followStream({ time, table, openTable, sendDeliveries, start });
  return async () => {
    isStopped = true;
    await Promise.all(running);
  };
}

function followStream({
  time,
  table,
  openTable,
  sendDeliveries,
  start,
}: Workers & { start(work: () => Promise<unknown>): void }): void {
  const own = openTable();
  const changedStock = new Set<number>();
  /** Those that somebody waits for (shared/workers/closed-stocks.ts). */
  const closedStock = new Set<number>();
  const serveList = (list: { readonly orgId: string; readonly eventId: number }) =>
    serveWaitingLists({ table: own, clock: wholeMs(time), hasTime: () => true }, [list]);
  const events: (() => Promise<void>)[] = [];
  let active = 0;
  const next = (): void => {
    const work = active < fanOuts ? events.shift() : undefined;
    if (work === undefined) return;
    active += 1;
    start(() =>
      work().finally(() => {
        active -= 1;
        next();
      }),
    );
  };
  const follow = (pk: string): void => {
    const { orgId, eventId } = parseEventPartition(pk);
    if (changedStock.has(eventId)) return;
    changedStock.add(eventId);
    table.physics.readStream('process-table-changes', () => {
      changedStock.delete(eventId);
      start(async () => {
        if (closedStock.delete(eventId)) await serveList({ orgId, eventId });
        await updateSoldOut(own, orgId, eventId);
      });
    });
  };
  const changedSections = new Set<string>();
  const draw = (pk: string): void => {
    if (changedSections.has(pk)) return;
    changedSections.add(pk);
    table.physics.readStream('process-table-changes', () =>
      start(async () => {
        await time.sleep(batchWindowMs);
        changedSections.delete(pk);
        await drawSeatsOfRecords(own, [{ dynamodb: { Keys: { pk: { S: pk } } } }], unixSeconds(time));
      }),
    );
  };
  table.model.storage.onChange(({ key: { pk, sk }, before, after }) => {
    if (after?.closed !== undefined || before?.closed !== undefined) closedStock.add(parseEventPartition(pk).eventId);
    if (pk.startsWith('SEA#')) draw(pk);
    if (pk.startsWith('STK#') || (pk.startsWith('SEA#') && isFull(after))) follow(pk);
    if (!pk.startsWith('FEED#') || before !== undefined || after === undefined) return;
    const [, orgId = ''] = pk.split('#');
    const event = { orgId, eventId: sk, type: String(after.type) as never, requestId: undefined };
    // The stream shows a change after its transaction has ended.
    table.physics.readStream('publish-outbox', () => {
      const send = async (messages: readonly DeliveryMessage[]) => sendDeliveries(messages);
      events.push(() => fanOut({ table: own, nowMs: wholeMs(time).nowMs(), sendDeliveries: send }, orgId, [event]));
      next();
    });
  });
}

/** As shared/workers/seat-rows.ts decides by the record of the stream. */
function isFull(row: Readonly<Record<string, unknown>> | undefined): boolean {
  const taken = Object.keys(row ?? {}).filter((name) => name.startsWith('s:')).length;
  return taken === row?.size || taken + Number(row?.freed ?? 0) === row?.size;
}
