import fc from 'fast-check';
import { seededRandom } from '../../../local/cloud/dynamodb/physics/random.ts';
import { auditHints } from '../../../shared/data/audit/hints.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Finding } from '../../../shared/domain/audit/finding.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import { findingsOf } from '../audit.ts';
import { noonUnix } from '../baskets.ts';
import { CrashPoint, crashingProvider, crashingTable } from '../faults/crashing-deps.ts';
import { bankSteps } from './bank-steps.ts';
import { buyingSteps } from './buying-steps.ts';
import { type Club, currencies, followBaskets, givenClub } from './club.ts';
import { counterSteps } from './counter-steps.ts';
import { memberSteps } from './member-steps.ts';
import { officeSteps } from './office-steps.ts';
import { inMood, type Memory, type Mood } from './provider.ts';
import { isReceiptLate, receiptSteps } from './receipt-steps.ts';
import type { Choose, Step, Steps } from './scene.ts';
import { ticketSteps } from './ticket-steps.ts';
import { deliverReports, runWorkers } from './workers.ts';

const steps: Steps = {
  ...buyingSteps,
  ...memberSteps,
  ...officeSteps,
  ...counterSteps,
  ...ticketSteps,
  ...bankSteps,
  ...receiptSteps,
};

/** Time passes, and workers run at least every three days of it. */
const waits: Readonly<Record<string, { readonly weight: number; readonly seconds: number }>> = {
  'wait: a minute': { weight: 2, seconds: 60 },
  'wait: a quarter of an hour': { weight: 2, seconds: 900 },
  'wait: a day': { weight: 2, seconds: 86_400 },
  'wait: ten days': { weight: 2, seconds: 864_000 },
  'wait: a month': { weight: 2, seconds: 31 * 86_400 },
};
const maxPauseSeconds = 3 * 86_400;
export const isWait = ({ what }: Pick<ChosenStep, 'what'>): boolean => what in waits;

const anyStep = fc.oneof(
  ...Object.entries({ ...steps, ...waits }).map(([name, { weight }]) => ({
    weight: weight * 2,
    arbitrary: fc.constant(name),
  })),
);

/** A step of a season, as data: the same data do the same. */
const chosenStep = fc.record({
  what: anyStep,
  club: fc.nat(currencies.length - 1),
  /** Whether it happens at the same moment as the step before. */
  meets: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  /** Determines everything that is chosen during the step. */
  seed: fc.noBias(fc.nat(2 ** 31)),
  mood: fc.constantFrom<Mood>(...Array(15).fill('prompt'), 'refusing', 'refusing', 'silent', 'unreachable', 'late'),
  /** Its process crashes at one of its calls; most do not. */
  crash: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        at: fc.noBias(fc.integer({ min: 1, max: 30 })),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
    },
  ),
});
export type ChosenStep = typeof chosenStep extends fc.Arbitrary<infer One> ? One : never;

/** So many steps in a row happen in the same club, so that they meet. */
const stretch = 8;

export function chosenSteps(seed: number, count: number): readonly ChosenStep[] {
  const chosen = fc.sample(chosenStep, { seed, numRuns: count });
  return chosen.map((step, index) => ({ ...step, club: chosen[index - (index % stretch)]?.club ?? step.club }));
}

/** What a run of steps has shown: the steps with what came of each, and what is wrong after them. */
export interface PlayedSeason {
  readonly history: readonly string[];
  /** Contradictions of the audit, or the failure of a step. Empty if nothing is wrong. */
  readonly problems: readonly string[];
}

/** The audit looks after so many steps. */
const auditEvery = 40;

/** Plays steps in three clubs of a new table, and lets everything settle. The audit looks in between and at the end. */
export async function playSeason(table: Table, chosen: readonly ChosenStep[]): Promise<PlayedSeason> {
  const season = await Season.begin(table);
  const history: string[] = [];
  let played = 0;
  for (const round of roundsOf(chosen)) {
    try {
      history.push(...(await Promise.all(round.map((step) => season.play(step)))));
    } catch (error) {
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const names = round.map(({ what }) => what);
      return { history: [...history, ...names], problems: [`${names.join(' and ')} fails: ${failure}`] };
    }
    played += 1;
    const isLook = played % auditEvery === 0 || history.length === chosen.length;
    const problems = isLook ? await season.audit() : [];
    if (problems.length > 0) return { history, problems };
  }
  await season.settle();
  return { history: [...history, 'everything settles'], problems: await season.audit({ withHints: true }) };
}

/** Steps that happen at the same moment. */
function roundsOf(chosen: readonly ChosenStep[]): readonly (readonly ChosenStep[])[] {
  const rounds: ChosenStep[][] = [];
  for (const step of chosen) {
    const last = rounds.at(-1);
    if (step.meets && last !== undefined) last.push(step);
    else rounds.push([step]);
  }
  return rounds;
}

let seasons = 0;

class Season {
  readonly #table: Table;
  readonly #clubs: readonly Club[];
  readonly #provider: PaymentProvider;
  readonly #memory: Memory = { refunds: new Map(), underWay: [] };
  #nowUnix = noonUnix;
  #readMs = 0;

  constructor(table: Table, clubs: readonly Club[]) {
    this.#table = table;
    this.#clubs = clubs;
    this.#provider = sandboxProvider(table);
  }

  static async begin(table: Table): Promise<Season> {
    seasons += 1;
    const clubs: Club[] = [];
    for (const currency of currencies) clubs.push(await givenClub(table, `org_${currency}${seasons}`, currency));
    return new Season(table, clubs);
  }

  /** Plays a step. Says what came of it. */
  async play({ what, meets, club: index, seed, mood, crash }: ChosenStep): Promise<string> {
    for (const late of this.#memory.underWay.splice(0)) await late().catch(() => undefined);
    const club = this.#clubs[index];
    if (club === undefined) throw new Error('There is no such club.');
    await followBaskets(this.#table, club);
    const crashPoint = new CrashPoint(crash?.at ?? 0, crash?.when ?? 'before');
    const provider = crashingProvider(inMood(this.#provider, mood, this.#memory), crashPoint);
    const table = crash === null ? this.#table : crashingTable(this.#table, crashPoint);
    const deps = { ...this.#deps(provider, table), orgId: club.orgId };
    const wait = waits[what];
    const scene = { club, deps, outside: this.#table, choose: chooseBy(seed) };
    const work = wait === undefined ? stepOf(what).run(scene) : this.#wait(deps, wait.seconds);
    const outcome = (await crashPoint.resultOf(work)) ?? `its process crashes ${crash?.when} call ${crash?.at}`;
    this.#nowUnix += 1;
    return `${meets ? 'and at the same moment ' : ''}${club.currency}: ${what}${mood === 'prompt' ? '' : ` (the provider is ${mood})`}: ${outcome}`;
  }

  async #wait(deps: CheckoutDeps, seconds: number): Promise<string> {
    for (let left = seconds; left > 0; left -= maxPauseSeconds) {
      this.#nowUnix += Math.min(left, maxPauseSeconds);
      await runWorkers(deps, this.#clubs);
    }
    return new Date(this.#nowUnix * 1000).toISOString();
  }

  /** The provider answers, nothing crashes, and workers run until nothing is left to do at once. */
  async settle(): Promise<void> {
    for (const late of this.#memory.underWay.splice(0)) await late().catch(() => undefined);
    for (const seconds of [60, 1_800, 1_800, 3_600, 3_600, 60]) {
      this.#nowUnix += seconds;
      await runWorkers(this.#healthy(), this.#clubs);
    }
  }

  /** Every equation of the audit, for each club. */
  async audit({ withHints = false } = {}): Promise<readonly string[]> {
    const found: Finding[] = [];
    const late: string[] = [];
    for (const club of this.#clubs) {
      await deliverReports(this.#healthy(), club);
      if (withHints)
        late.push(...club.reports.map(({ basketId }) => `order ${basketId}: a failed refund is not booked`));
      if (club.reports.length > 0) continue;
      found.push(...(await findingsOf(this.#table, club.orgId, this.#nowUnix)));
      if (withHints) found.push(...(await auditHints(this.#table, this.#nowUnix, club.orgId)));
      if (withHints && (await isReceiptLate(this.#healthy(), club))) late.push(`${club.orgId}: a document is late`);
    }
    return [...late, ...found.map(({ check, row, problem }) => `audit ${check}: ${problem} (${row})`)];
  }

  /** The clock advances a little with every reading, so events and entries have an order. */
  #nowMs(): number {
    this.#readMs = Math.max(this.#nowUnix * 1000, this.#readMs + 1);
    return this.#readMs;
  }

  #healthy() {
    return this.#deps(inMood(this.#provider, 'prompt', this.#memory), this.#table);
  }

  #deps(provider: PaymentProvider, table: Table): Omit<CheckoutDeps, 'orgId'> {
    return {
      table,
      requestId: 'req-1',
      clock: { nowMs: () => this.#nowMs() },
      payments: { current: async () => provider, byName: async () => provider, timeoutMs: 30_000 },
    };
  }
}

function stepOf(name: string): Step {
  const step = steps[name];
  if (step === undefined) throw new Error(`There is no step ${name}.`);
  return step;
}

function chooseBy(seed: number): Choose {
  const random = seededRandom(seed);
  return <One>(from: readonly One[]) => from[Math.floor(random() * from.length)] as One;
}
