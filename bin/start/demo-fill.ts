import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../shared/data/table.ts';
import { unmetered } from '../admin/unmetered.ts';
import { loadDemoData } from './demo-load.ts';

/** The small one first, then the club with its members before its customers: these are there before anybody can look. */
const fillingOrder = ['org_lantern', 'org_harbourfc'];

/** A newcomer waits this long for a full demo and no longer. */
const patienceMs = 10_000;

/**
 * Fills the demo organisations on the first start. DynamoDB Local takes one to two milliseconds for an item, and the demo
 * has twelve thousand: on a slow machine the last customers come in while the service runs already. The table is closed
 * when nothing is left to do.
 */
export async function fillDemo(table: Table, tell: (text: string) => void): Promise<void> {
  const filling = fill(unmetered(table)).finally(() => table.client.destroy());
  const isFull = await Promise.race([filling.then(() => true), sleep(patienceMs, false, { ref: false })]);
  if (isFull) return;
  tell('The demo is still being filled, this once: the last customers of the club come in within half a minute.');
  void filling.then(
    () => tell('The demo is complete.'),
    () => tell('The demo is not complete: the next start goes on with it.'),
  );
}

async function fill(table: Table): Promise<void> {
  for (const orgId of fillingOrder) await loadDemoData(table, orgId, Math.floor(Date.now() / 1000));
}
