import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Gate } from './gate.ts';

const usage = `Usage: node examples/gate/main.ts --url <API> --token <gl_gate_…> --event <event_id> --gate <gate_id> [--folder <path>]
Type or scan one barcode per line. A line that begins with "out " is an exit.`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    event: { type: 'string' },
    gate: { type: 'string' },
    folder: { type: 'string', default: '.gate' },
  },
});
const { url, token, event, gate: gateId, folder } = values;
if (url === undefined || token === undefined || event === undefined || gateId === undefined) {
  console.error(usage);
  process.exit(1);
}

const gate = new Gate({ url, token, eventId: event, gateId: Number(gateId), folder });
const syncEveryMs = 30_000;
const uploadEveryMs = 5_000;

/** A failed attempt is repeated by the next one: it must not end the gate. */
async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.log(`Not ${name}: ${error instanceof Error ? error.message : error}`);
  }
}

const sync = () =>
  attempt('synchronised', async () => {
    await gate.sync();
    console.log(`${gate.ticketCount} tickets known.`);
  });

const upload = () =>
  attempt('reported', async () => {
    if (gate.pendingCount === 0) return;
    for (const { barcode, local, recorded, reason } of await gate.upload()) {
      const service = reason === undefined ? `recorded ${recorded}.` : `does not take the scan: ${reason}`;
      console.log(`Look at ${barcode}: this gate decided ${local}, the service ${service}`);
    }
  });

await sync();
const timers = [setInterval(() => void sync(), syncEveryMs), setInterval(() => void upload(), uploadEveryMs)];
for await (const line of createInterface({ input: process.stdin })) {
  const isOut = line.startsWith('out ');
  const barcode = isOut ? line.slice('out '.length) : line;
  if (barcode.trim() === '') continue;
  const { admitted, result, offline, reason } = await gate.scan(barcode, isOut ? 'out' : 'in');
  const why = reason === undefined ? '' : `: ${reason}`;
  console.log(`${admitted ? 'OPEN  ' : 'REFUSE'} ${result}${offline ? ' (offline)' : ''}${why}`);
}
for (const timer of timers) clearInterval(timer);
await upload();
