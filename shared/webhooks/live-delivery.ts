import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../data/table/table.ts';
import { systemClock } from '../platform/clock.ts';
import { allowsLoopbackReceivers } from '../platform/env.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { sendRetries, wakeBacklog } from './delivery-messages.ts';
import { openSecrets } from './endpoint-secrets.ts';
import { createSend, type Send } from './send.ts';

let send: Send | undefined;

const finely = 2 ** 32;

/** Kept for the life of the instance, with the connections to endpoints that are open. */
export function liveDelivery(table: Table, describe: DeliveryDeps['describe']): DeliveryDeps {
  send ??= createSend({ allowLoopback: allowsLoopbackReceivers() });
  return {
    table,
    clock: systemClock,
    random: () => randomInt(finely) / finely,
    sleep: (ms) => sleep(ms),
    send,
    openSecrets,
    sendRetries,
    wakeBacklog,
    describe,
  };
}
