import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeCampaigns } from '../../../admin/transfer/datasets/code-campaigns.ts';
import { datasets } from '../../../admin/transfer/datasets.ts';
import { createCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { createPhase } from '../../../shared/catalogue/phases.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { importExamples } from '../../support/import-examples.ts';
import { datasetNamed, Files, importInto } from '../../support/import-files.ts';
import { createTestTable, openTestTable } from '../../support/table.ts';

let table: Table;
let local: LocalRun;
let admin: Admin;
let stdin = '';
const files = new Files();
beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  const tool = adminTool({ localFile: local.file, nowMs: () => Date.UTC(2026, 10, 14), stdin: () => stdin });
  admin = (...words) => tool(...words, '--local');
});
afterAll(() => {
  local.remove();
  files.remove();
});

const orgId = 'org_saleimport';

async function imported(dataset: string, rows: readonly object[]): Promise<readonly string[]> {
  stdin = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { stderr } = await admin('import', dataset, orgId, '-', '--rejected', files.path(`${dataset}.ndjson`));
  return stderr.split('\n').filter((line) => line.startsWith('line '));
}

it('imports of campaigns, codes and phases refuse what contradicts itself or does not exist, and say what', async () => {
  await givenOrganisation(table, orgId);
  for (const { name } of datasets.slice(0, datasets.indexOf(codeCampaigns))) {
    await imported(name, importExamples[name] ?? []);
  }
  const campaign = { title: 'Sponsors', effect: 'percent', value: 20 };
  const family = { event_code: 'round-5', price_code: 'family' };
  expect(
    await imported('code-campaigns', [
      { ...campaign, value: 120 },
      { ...campaign, effect: 'none' },
      { ...campaign, effect: 'free' },
      { ...campaign, from_unix: 20, until_unix: 20 },
      { ...campaign, event_codes: ['round-5'], prices: [family] },
      { ...campaign, event_codes: ['round-9'] },
      { ...campaign, reveals_prices: [{ ...family, price_code: 'nobody' }] },
      campaign,
    ]),
  ).toEqual([
    'line 1: value must be a percentage from 0 to 100 with at most two decimals.',
    'line 2: value must be 0 if effect is none.',
    'line 3: effect must be one of percent, amount, fixed_price, none.',
    'line 4: from_unix must be before until_unix.',
    'line 5: prices and event_codes: give one of them, or neither.',
    'line 6: One of event_codes does not exist.',
    'line 7: The price "nobody" of the event "round-5" does not exist.',
  ]);
  expect(
    await imported('codes', [
      { code: 'a b', campaign_title: 'Sponsors' },
      { code: 'EARLY10', campaign_title: 'Nobody' },
      { code: 'early 10', campaign_title: 'Sponsors' },
    ]),
  ).toEqual([
    'line 1: code must be 3 to 40 letters, digits, hyphens and underscores.',
    'line 2: campaign_title "Nobody" does not exist.',
  ]);
  const phase = { event_code: 'round-5', title: 'Members first', until_unix: 1_790_000_000 };
  expect(
    await imported('phases', [
      { ...phase, event_code: 'round-9' },
      { ...phase, price_codes: ['nobody'] },
      { ...phase, membership_type_codes: ['nobody'] },
      { ...phase, campaign_title: 'Nobody' },
      { ...phase, attribute: 'points' },
      { ...phase, attribute: 'Points', at_least: 1 },
      { ...phase, from_unix: 1_790_000_000 },
      phase,
      { ...phase, title: 'Everyone' },
      { ...phase, title: 'Everyone', from_unix: 1_790_000_000, until_unix: null },
    ]),
  ).toEqual([
    'line 1: event_code "round-9" does not exist.',
    'line 2: One of price_codes does not exist in the event.',
    'line 3: One of membership_type_codes does not exist.',
    'line 4: campaign_title "Nobody" does not exist.',
    'line 5: attribute and at_least: give both, or neither.',
    'line 6: attribute must be lowercase letters, digits and underscores.',
    'line 7: from_unix must be before until_unix.',
    'line 9: The phase "Members first" sells one of these prices at the same time.',
  ]);
});

it('a title that two campaigns have is rejected by imports and reported by exports', async () => {
  const fields = { title: 'Partners', effect: { kind: 'percent', value: 10 } } as const;
  const nowUnix = 1_790_000_000;
  for (let made = 0; made < 2; made += 1) await createCampaign({ table, orgId, nowUnix }, fields, () => []);
  const problem = '2 code campaigns have the title "Partners". Give each its own title with update-code-campaign.';
  const { title } = fields;
  expect(await imported('code-campaigns', [{ title, effect: 'percent', value: 20 }, { title }])).toEqual([
    `line 1: ${problem}`,
    `line 2: ${problem}`,
  ]);
  expect(await imported('codes', [{ code: 'PARTNER', campaign_title: title }])).toEqual([`line 1: ${problem}`]);
  const phase = { event_code: 'round-5', title: 'Late', from_unix: 1_795_000_000, campaign_title: title };
  expect(await imported('phases', [phase])).toEqual([`line 1: ${problem}`]);
  for (const dataset of ['code-campaigns', 'codes', 'phases']) {
    const { stderr } = await admin('export', dataset, orgId, '-');
    expect(stderr).toContain(problem);
  }
});

it('a title that two phases of an event have is rejected by imports and reported by exports', async () => {
  const title = 'Twice';
  const eventId = derivedEventId(orgId, '007');
  for (const fromUnix of [1_796_000_000, 1_796_100_000]) {
    const given = { title, fromUnix, untilUnix: fromUnix + 10 };
    await createPhase(table, orgId, eventId, { given, sideEffects: () => [] });
  }
  const problem = '2 phases of the event have the title "Twice". Give each its own title with update-phase.';
  expect(await imported('phases', [{ event_code: '007', title }])).toEqual([`line 1: ${problem}`]);
  expect((await admin('export', 'phases', orgId, '-')).stderr).toContain(problem);
});

it('imports bound the lists of campaigns and phases as the API does', async () => {
  const some = (count: number) => Array.from({ length: count }, (_, index) => `code-${index}`);
  const prices = some(41).map((price_code) => ({ event_code: 'round-5', price_code }));
  const campaign = { title: 'Bounds', effect: 'none' };
  const phase = { event_code: 'round-5', title: 'Bounds' };
  expect(
    await imported('code-campaigns', [
      { ...campaign, event_codes: [] },
      { ...campaign, event_codes: some(41) },
      { ...campaign, prices },
      { ...campaign, reveals_prices: prices },
    ]),
  ).toEqual([
    'line 1: event_codes must have 1 to 40 elements.',
    'line 2: event_codes must have 1 to 40 elements.',
    'line 3: prices must have 1 to 40 elements.',
    'line 4: reveals_prices must have 0 to 40 elements.',
  ]);
  expect(
    await imported('phases', [
      { ...phase, price_codes: some(41) },
      { ...phase, membership_type_codes: some(21) },
      { ...phase, membership_type_codes: [] },
    ]),
  ).toEqual([
    'line 1: price_codes must have 1 to 40 elements.',
    'line 2: membership_type_codes must have 1 to 20 elements.',
    'line 3: membership_type_codes must have 1 to 20 elements.',
  ]);
});

it('imports and exports read what their rows refer to once, not for every row', async () => {
  const own = openTestTable(table.name);
  let queries: string[] = [];
  own.client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'QueryCommand') queries.push(/":pk":"(\w+)#/.exec(JSON.stringify(args.input))?.[1] ?? '');
        return next(args);
      },
    { step: 'initialize', name: 'queries' },
  );
  const queriesOf = async (dataset: string, ...rows: object[]) => {
    const file = files.write(`${dataset}-once.ndjson`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    queries = [];
    expect(await importInto(own, { orgId, dataset, file })).toMatchObject({ created: rows.length });
    return queries;
  };
  const codes = ['ONCE1', 'ONCE2', 'ONCE3'].map((code) => ({ code, campaign_title: 'Sponsors' }));
  expect(await queriesOf('codes', ...codes)).toEqual(['CDC']);
  const phases = [1, 2, 3].map((day) => ({
    event_code: '007',
    title: `Day ${day}`,
    campaign_title: 'Sponsors',
    from_unix: 1_791_000_000 + day * 10,
    until_unix: 1_791_000_005 + day * 10,
  }));
  expect((await queriesOf('phases', ...phases)).filter((kind) => kind === 'CDC' || kind === 'MCF')).toHaveLength(2);
  const other = { event_code: '007', code: 'adult', category_code: 'east', title: 'Adult', price: 0, capacity: 2 };
  expect(await imported('prices', [other])).toEqual([]);
  const prices = ['family', 'adult'].map((price_code) => ({ event_code: '007', price_code }));
  await queriesOf('code-campaigns', { title: 'Many prices', effect: 'percent', value: 5, prices });
  queries = [];
  const context = { table: own, orgId, clock: { nowMs: () => 1_790_000_000_000 } };
  for await (const row of datasetNamed('code-campaigns').rows(context)) {
    if (row.title === 'Many prices') expect(row.prices).toEqual(prices);
  }
  expect(queries).toEqual(['CDC', 'EVC']);
});
