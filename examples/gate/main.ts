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

async function sync(): Promise<void> {
  try {
    await gate.sync();
    console.log(`${gate.ticketCount} tickets known.`);
  } catch (error) {
    console.log(`Not synchronised: ${error instanceof Error ? error.message : error}`);
  }
}

async function upload(): Promise<void> {
  if (gate.pendingCount === 0) return;
  for (const { barcode, local, recorded } of await gate.upload()) {
    console.log(`Look at ${barcode}: this gate decided ${local}, the service recorded ${recorded}.`);
  }
}

await sync();
const timers = [setInterval(() => void sync(), syncEveryMs), setInterval(() => void upload(), uploadEveryMs)];
for await (const line of createInterface({ input: process.stdin })) {
  const isOut = line.startsWith('out ');
  const barcode = isOut ? line.slice('out '.length) : line;
  if (barcode.trim() === '') continue;
  const { admitted, result, offline } = await gate.scan(barcode, isOut ? 'out' : 'in');
  console.log(`${admitted ? 'OPEN  ' : 'REFUSE'} ${result}${offline ? ' (offline)' : ''}`);
}
for (const timer of timers) clearInterval(timer);
await upload();
