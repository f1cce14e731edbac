import type { Table } from '../../shared/data/table/table.ts';
import { DeliverySimulation } from '../../tools/fixtures/webhooks/delivery-simulation.ts';
import type { FigureTable } from '../report/figures.ts';

const ratePerSecond = 20;
const outageMinutes = 10;
const events = 150;

/**
 * Measures the recovery of an endpoint that fails every POST for ten minutes. The clock, the queues and the receiver are
 * simulated, so that this takes seconds; the table and the delivery code are real.
 */
export async function measureOutage(table: Table): Promise<FigureTable> {
  const simulation = new DeliverySimulation(table);
  await simulation.givenEndpoint({ ratePerSecond });
  let backMs = Number.POSITIVE_INFINITY;
  simulation.respond = ({ atMs }) => ({ kind: 'answer', status: atMs >= backMs ? 200 : 503 });
  const ids: string[] = [];
  for (let minute = 0; minute < outageMinutes; minute += 1) {
    ids.push(...(await simulation.publishEvents(events / outageMinutes)));
    await simulation.advance(60_000);
  }
  const refused = simulation.arrivals.length;
  backMs = simulation.nowMs;
  for (let minute = 0; minute < 30 && (await simulation.hints('delivery')) > 0; minute += 1)
    await simulation.advance(60_000);
  const after = simulation.arrivals.slice(refused).map(({ atMs, id }) => ({ id, second: (atMs - backMs) / 1000 }));
  const [first, last] = [after.at(0)?.second ?? null, after.at(-1)?.second ?? null];
  const arrived = new Set(after.map(({ id }) => id));
  return {
    title: `Recovery after an outage of ${outageMinutes} minutes`,
    columns: ['what', 'value'],
    rows: [
      ['events during the outage', ids.length],
      ['POSTs to the endpoint during the outage', refused],
      ['seconds from the recovery to the first delivery (the next probe)', first],
      ['seconds from the first to the last delivery', first === null || last === null ? null : last - first],
      [`most deliveries in one second (at most ${ratePerSecond})`, maxInOneSecond(after.map(({ second }) => second))],
      ['events lost', ids.filter((id) => !arrived.has(id)).length],
      ['events that arrived twice after the recovery', after.length - arrived.size],
    ],
  };
}

function maxInOneSecond(seconds: readonly number[]): number {
  return Math.max(0, ...seconds.map((from) => seconds.filter((at) => at >= from && at < from + 1).length));
}
