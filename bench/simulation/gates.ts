import type { Random } from '../../local/cloud/dynamodb/physics/random.ts';
import { recordScan } from '../../shared/operations/events/record-scan.ts';
import type { SimulatedCloud } from './cloud.ts';
import type { Response } from './lambda.ts';
import type { MatchDay, SimulatedTicket } from './match-day.ts';
import { Timeline } from './statistics.ts';

export interface GatesOutcome {
  readonly scans: Timeline;
  /** How often each ticket was admitted, by its barcode. */
  readonly admitted: Map<string, number>;
  readonly results: Map<string, number>;
  /** Reports that no attempt delivered. */
  undelivered: number;
}

const openMinutes = 90;
const offlineGates = 3;
const offlineFromMs = 55 * 60_000;
const offlineForMs = 10 * 60_000;

/** Lets people arrive at the gates for 90 minutes, and returns when the last report is recorded. */
export async function runGates(cloud: SimulatedCloud, day: MatchDay): Promise<GatesOutcome> {
  await cloud.api.load(recordScan);
  const { time, random } = cloud;
  const outcome: GatesOutcome = {
    scans: new Timeline(time.nowMs()),
    admitted: new Map(),
    results: new Map(),
    undelivered: 0,
  };
  const openedMs = time.nowMs();
  const gates = day.gates.map((gate, index) => new Gate({ cloud, day, outcome, openedMs }, gate, index < offlineGates));
  await Promise.all(
    day.tickets.map(async (ticket) => {
      await time.sleep(arrivalMs(random));
      const own = gates.filter(({ code }) => code === ticket.code);
      const others = gates.filter(({ code }) => code !== ticket.code);
      // Two in a hundred begin at a gate of the other stand.
      if (random() < 0.02) await pick(others, random)?.admit(ticket);
      await pick(own, random)?.admit(ticket);
    }),
  );
  await Promise.all(gates.map((gate) => gate.upload()));
  return outcome;
}

/** Most come in the last 40 minutes before the start: a bell whose middle is 25 minutes before it. */
function arrivalMs(random: Random): number {
  const wholeMs = openMinutes * 60_000;
  for (;;) {
    const deviate = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const ms = (65 + 17 * deviate) * 60_000;
    if (ms >= 0 && ms < wholeMs) return ms;
  }
}

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

interface Stadium {
  readonly cloud: SimulatedCloud;
  readonly day: MatchDay;
  readonly outcome: GatesOutcome;
  readonly openedMs: number;
}

interface Report {
  readonly barcode: string;
  readonly nonce: string;
  readonly scanned_at?: number;
}

/** The turnstiles of a gate, each of which handles one person at a time. */
const turnstiles = 4;
const passageMs = 2_500;
const maxAttempts = 6;

class Gate {
  readonly code: string;
  readonly #stadium: Stadium;
  readonly #gate: MatchDay['gates'][number];
  readonly #goesOffline: boolean;
  readonly #queue: (() => void)[] = [];
  readonly #stored: Report[] = [];
  #busy = 0;
  #scans = 0;
  #uploading: Promise<void> | undefined;

  constructor(stadium: Stadium, gate: MatchDay['gates'][number], goesOffline: boolean) {
    this.#stadium = stadium;
    this.#gate = gate;
    this.#goesOffline = goesOffline;
    this.code = gate.code;
  }

  /** Waits for a turnstile, scans the ticket, and lets the person pass or not. */
  async admit({ barcode }: SimulatedTicket): Promise<void> {
    const { time, random } = this.#stadium.cloud;
    await this.#enter();
    try {
      const report = { barcode, nonce: this.#newNonce() };
      if (this.#isOffline()) this.#stored.push({ ...report, scanned_at: Math.floor(time.nowMs() / 1000) });
      else await this.#scan(report);
      // One in a hundred is scanned again: the reader repeats its report, or reads the ticket a second time.
      if (random() < 0.01 && !this.#isOffline()) {
        await this.#scan(random() < 0.5 ? report : { barcode, nonce: this.#newNonce() });
      }
      await time.sleep(passageMs * (0.6 + 0.8 * random()));
    } finally {
      this.#leave();
    }
    if (this.#stored.length > 0 && !this.#isOffline()) void this.upload();
  }

  /** Sends what the gate stored while it was offline, one report after the other. */
  upload(): Promise<void> {
    this.#uploading ??= this.#sendStored().finally(() => {
      this.#uploading = undefined;
    });
    return this.#uploading;
  }

  async #sendStored(): Promise<void> {
    for (let report = this.#stored.shift(); report !== undefined; report = this.#stored.shift())
      await this.#scan(report);
  }

  async #enter(): Promise<void> {
    this.#busy += 1;
    if (this.#busy > turnstiles) await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    this.#busy -= 1;
    this.#queue.shift()?.();
  }

  #isOffline(): boolean {
    const sinceMs = this.#stadium.cloud.time.nowMs() - this.#stadium.openedMs;
    return this.#goesOffline && sinceMs >= offlineFromMs && sinceMs < offlineFromMs + offlineForMs;
  }

  #newNonce(): string {
    this.#scans += 1;
    return `gate-${this.#gate.gateId}-${this.#scans}`;
  }

  async #scan(report: Report): Promise<void> {
    const { cloud, outcome } = this.#stadium;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const response = await this.#send(report);
      if (response.status === 201) {
        this.#note(report, String(response.body.result));
        return;
      }
      await cloud.time.sleep(1_000 * response.retryAfterSeconds * cloud.random() + 100);
    }
    outcome.undelivered += 1;
  }

  #send({ barcode, nonce, scanned_at }: Report): Promise<Response> {
    const { cloud, day } = this.#stadium;
    return cloud.api.send(recordScan, {
      params: { event_id: String(day.eventId) },
      headers: { Authorization: `Bearer ${this.#gate.token}` },
      body: { barcode, nonce, gate_id: this.#gate.gateId, ...(scanned_at !== undefined && { scanned_at }) },
    });
  }

  /** A repeated nonce returns the first response, so each nonce counts once. */
  readonly #noted = new Set<string>();

  #note({ barcode, nonce }: Report, result: string): void {
    if (this.#noted.has(nonce)) return;
    this.#noted.add(nonce);
    const { cloud, outcome } = this.#stadium;
    outcome.scans.add(cloud.time.nowMs());
    outcome.results.set(result, (outcome.results.get(result) ?? 0) + 1);
    if (result === 'ok') outcome.admitted.set(barcode, (outcome.admitted.get(barcode) ?? 0) + 1);
  }
}
