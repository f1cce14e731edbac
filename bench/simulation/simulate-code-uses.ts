import { createCampaign } from '../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../shared/catalogue/new-codes.ts';
import { auditCodes } from '../../shared/data/audit/codes.ts';
import { createCodes, listCodes } from '../../shared/data/codes/codes.ts';
import type { CodeCampaign } from '../../shared/domain/codes/campaign.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { applyCode } from '../../shared/operations/baskets/apply-code.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { FigureTable } from '../report/figures.ts';
import { type SimulatedCloud, startSimulatedCloud } from './cloud.ts';
import { fromStorefront, givenEventOnSale, type OnSale } from './on-sale-event.ts';
import { simulateProcess } from './simulated-process.ts';
import { type CallReport, callReport, callTables } from './statistics.ts';

export interface CodeUsesOptions {
  readonly people: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- code-uses --json`. */
export interface CodeUsesReport extends CodeUsesOptions, CallReport {
  readonly scenario: 'code-uses';
  readonly limit: number;
  /** Buyers who got a use, who were told that it is used up, and who gave up. */
  readonly used: number;
  readonly used_up: number;
  readonly gave_up: number;
  /** Uses that were taken beyond the limit, or left although buyers were refused; 0 is right. */
  readonly wrong: number;
  /** Uses that did not come back after every basket had expired; 0 is right. */
  readonly not_returned: number;
  /** What the audit finds while the baskets hold their uses, and afterwards; 0 is right. */
  readonly findings: number;
  readonly conflicts: number;
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

const word = 'SPONSOR';
const arrivalSeconds = 10;
const maxAttempts = 5;

/** Buyers try to use one word at the same time, which a fifth of them can; nobody pays, and the uses come back. */
export async function simulateCodeUses(options: CodeUsesOptions, startMs: number): Promise<CodeUsesReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const cloud = startSimulatedCloud({ time, random, warmThroughput: { read: 60_000, write: 40_000 } });
  const limit = Math.max(1, Math.round(options.people / 5));
  const work = async (): Promise<CodeUsesReport> => {
    const sale = await givenEventOnSale(cloud.data, { prices: 1, tickets: options.people });
    const campaign = await givenWord(cloud, sale, limit);
    for (const operation of [openBasket, addBasketItem, applyCode]) await cloud.api.load(operation);
    const buyers = Array.from({ length: options.people }, (_, client) => use(cloud, sale, client));
    const results = await Promise.all(buyers);
    const count = (wanted: Result): number => results.filter((result) => result === wanted).length;
    const [used, used_up] = [count('used'), count('used up')];
    const findingsBefore = await findings(cloud, sale, campaign);
    // Until the last basket has expired and the sweeper has released it.
    await time.sleep(20 * 60_000);
    await cloud.stop();
    const { codes } = await listCodes(cloud.data, { ...sale, campaign, after: undefined, limit: 1 });
    return {
      ...options,
      scenario: 'code-uses',
      limit,
      used,
      used_up,
      gave_up: count('gave up'),
      wrong: used_up > 0 ? Math.abs(limit - used) : Math.max(0, used - limit),
      not_returned: codes[0]?.uses ?? limit,
      findings: findingsBefore + (await findings(cloud, sale, campaign)),
      conflicts: cloud.table.physics.counts.conflicts,
      ...callReport(cloud, ['200', '201', '409', '429', '503']),
      timeline: {},
    };
  };
  return time.run(work());
}

async function givenWord({ data, time }: SimulatedCloud, { orgId }: OnSale, limit: number): Promise<CodeCampaign> {
  const nowUnix = unixSeconds(time);
  const given = { title: 'Sponsors', effect: { kind: 'percent', value: 20 } as const, usesPerCode: limit };
  const saved = await createCampaign({ table: data, orgId, nowUnix }, given, () => []);
  if (saved.outcome !== 'saved') throw new Error(saved.outcome);
  const codes = newCodes(orgId, saved.campaign, { word }, nowUnix);
  await createCodes(data, orgId, { codes, usesPerCode: limit }, []);
  return saved.campaign;
}

async function findings({ data }: SimulatedCloud, { orgId }: OnSale, { campaignId }: CodeCampaign): Promise<number> {
  return (await auditCodes(data, orgId, { part: 'codes', campaignId })).findings.length;
}

type Result = 'used' | 'used up' | 'gave up';

/** Fills a basket and applies the word, again after a moment if the service is busy. */
async function use({ time, random, api }: SimulatedCloud, sale: OnSale, client: number): Promise<Result> {
  await time.sleep(random() * arrivalSeconds * 1000);
  const sender = { token: sale.storefrontToken, basketToken: undefined, client };
  const opened = await api.send(openBasket, fromStorefront({ body: { org: sale.orgId } }, sender));
  const own = { ...sender, basketToken: String(opened.body.basket_token) };
  const params = { basket_id: String(opened.body.id) };
  const item = { price_id: sale.prices[0]?.priceId, quantity: 1 };
  await api.send(addBasketItem, fromStorefront({ params, body: item }, own));
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const request = fromStorefront({ params, body: { code: word } }, own);
    const { status, retryAfterSeconds } = await api.send(applyCode, request);
    if (status === 200) return 'used';
    if (status === 409) return 'used up';
    await time.sleep(Math.max(1, retryAfterSeconds) * 1000);
  }
  return 'gave up';
}

export function codeUsesTables(report: CodeUsesReport): readonly FigureTable[] {
  const { people, limit, used, used_up, gave_up, wrong, not_returned, conflicts } = report;
  const rows = [
    ['buyers, uses of the code', `${people}, ${limit}`],
    ['used it, were told that it is used up, gave up', `${used}, ${used_up}, ${gave_up}`],
    ['too many or too few uses, uses that did not come back', `${wrong}, ${not_returned}`],
    ['findings of the audit', String(report.findings)],
    ['conflicts', String(conflicts)],
  ];
  return [{ title: 'Uses of a code', columns: ['', 'result'], rows }, ...callTables(report)];
}
