import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../data/table/table.ts';
import { systemClock } from '../platform/clock.ts';
import { allowsLoopbackReceivers } from '../platform/env.ts';
import { machineClock } from '../platform/machine-clock.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { sendRetries, wakeBacklog } from './delivery-messages.ts';
import { openSecrets } from './endpoint-secrets.ts';
import { createSend, type Send } from './send.ts';

let send: Send | undefined;

const precision = 2 ** 32;

/** The client and its open connections to endpoints are kept for the life of the instance. */
export function liveDeliveryDeps(table: Table, describe: DeliveryDeps['describe']): DeliveryDeps {
  send ??= createSend({ allowLoopback: allowsLoopbackReceivers() });
  return {
    table,
    clock: systemClock,
    // Receivers on this machine have its time, wherever the time of the local run is.
    receiversClock: allowsLoopbackReceivers() ? machineClock : systemClock,
    random: () => randomInt(precision) / precision,
    // A timer ignores fractions of a millisecond and would end early.
    sleep: (ms) => sleep(Math.ceil(ms)),
    send,
    openSecrets,
    sendRetries,
    wakeBacklog,
    describe,
  };
}
