import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderSender } from '../../examples/mailer/send/folder.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import { givenOrder } from '../support/mailer/api-double.ts';
import { type MailerBench, startMailerBench } from '../support/mailer/mailer.ts';

const orders = 1_000;
const program = fileURLToPath(new URL('../support/mailer/mailer-program.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
let bench: MailerBench;
let child: ChildProcess | undefined;
let output = '';

beforeEach(async () => {
  bench = await startMailerBench();
  output = '';
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await bench?.stop();
});

/** Starts the mailer with what an earlier one has left. Returns the address for webhooks. */
async function start(aheadMs: number, stall: 'before' | 'after' | 'never'): Promise<string> {
  const from = output.length;
  child = spawn(process.execPath, [
    '--import',
    loader,
    program,
    bench.folder,
    bench.api.url,
    bench.secret,
    String(aheadMs),
    stall,
  ]);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const address = () => /listening (\S+)\n/.exec(output.slice(from))?.[1];
  await expect.poll(address, { timeout: 60_000 }).toBeDefined();
  return `${address()}/webhooks`;
}

async function post(url: string, event: { readonly id: string }): Promise<boolean> {
  const body = JSON.stringify(event);
  const timestampUnix = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: event.id, timestampUnix, body }, [bench.secret]);
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Another order in each run of the same seed would not repeat a failure. */
function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe('the mailer in a season', () => {
  it.each([
    { stall: 'before', title: 'before the provider has a mail sends each once', twice: 0 },
    {
      stall: 'after',
      title: 'when the provider has a mail that nobody noted sends this one twice and all others once',
      twice: 1,
    },
  ] as const)(
    'with repeated, reordered and late webhooks and a kill $title, and logs no address or token',
    async ({ stall, twice }) => {
      const completed = Array.from({ length: orders }, (_, index) => givenOrder(bench.api, index + 1));
      const refunded = completed.slice(0, orders / 4).map(({ data: { order } }) => ({
        id: `evt_refunded${order.order_id}`,
        type: 'order.refunded',
        data: {
          refund: {
            order_id: order.order_id,
            amount: 30,
            kept: 0,
            to_return: 0,
            currency: 'EUR',
            ticket_ids: [order.order_id * 10],
          },
        },
      }));
      const events = [...completed, ...refunded];
      // Each of them twice, in any order: refunds come before their orders, too.
      const sent = shuffled([...events, ...events], Number(process.env.SEED ?? 1));
      const mails = new FolderSender(`${bench.folder}/mails`);
      // Without reading them: this machine also runs the mailer and the API.
      const count = () => readdirSync(`${bench.folder}/mails`).filter((name) => name.endsWith('.json')).length;

      const url = await start(0, stall);
      const first = child;
      const missed: { readonly id: string }[] = [];
      let at = 0;
      const postAll = async (): Promise<void> => {
        for (let event = sent[at]; event !== undefined; event = sent[at]) {
          at += 1;
          if (!(await post(url, event))) missed.push(event);
        }
      };
      const posting = Promise.all(Array.from({ length: 8 }, postAll));
      await expect.poll(() => output, { timeout: 240_000, interval: 20 }).toContain('stalled\n');
      first?.kill('SIGKILL');
      await posting;
      expect(count()).toBe(stall === 'after' ? 334 : 333);

      // A quarter of an hour later the claim of the mail that was being sent has ended.
      const again = await start(15 * 60_000, 'never');
      const late = shuffled([...missed, ...events.slice(0, 100)], 7);
      for (const event of late) expect(await post(again, event)).toBe(true);
      const all = events.length + twice;
      await expect.poll(count, { timeout: 240_000, interval: 250 }).toBe(all);
      for (const event of late.slice(0, 200)) expect(await post(again, event)).toBe(true);

      const times = new Map<string, number>();
      for (const { to, subject } of mails.list(100_000)) {
        const key = `${to} ${subject.startsWith('Your refund') ? 'refund' : 'order'}`;
        times.set(key, (times.get(key) ?? 0) + 1);
      }
      expect(times.size).toBe(events.length);
      expect(count()).toBe(all);
      expect(output).toContain('evt_completed1');
      expect(output).not.toMatch(/@|gl_|whsec_|Lovelace|token=/);
    },
  );
});
