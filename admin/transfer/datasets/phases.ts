import * as v from 'valibot';
import { createPhase, type SavedPhase, updatePhase } from '../../../shared/catalogue/phases.ts';
import { everyEvent } from '../../../shared/data/admin/read-all.ts';
import { countEvents } from '../../../shared/data/admin/totals.ts';
import { listCampaigns } from '../../../shared/data/codes/campaigns.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readPricedEvent } from '../../../shared/data/prices/read.ts';
import { derivedEventId, derivedId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { attributeLimits, wrongAttributeName } from '../../../shared/domain/customers/attributes.ts';
import { type PhaseFields, type PhaseRequirements, phaseLimits } from '../../../shared/domain/phases/phase.ts';
import { campaignByTitle, noteSharedTitles } from '../campaign-titles.ts';
import * as column from '../columns.ts';
import { defineDataset, type Rejection, type SaveResult, type TransferContext } from '../dataset.ts';

const PhaseRow = v.strictObject({
  event_code: column.code,
  /** Identifies the phase within its event. */
  title: column.name(200),
  from_unix: column.unixOrNull,
  until_unix: column.unixOrNull,
  price_codes: column.codesOrNull(phaseLimits.priceIds),
  max_per_person: v.nullable(column.integer(1, phaseLimits.perPerson)),
  membership_type_codes: column.codesOrNull(phaseLimits.membershipTypeIds),
  campaign_title: v.nullable(column.name(200)),
  attribute: v.nullable(
    v.pipe(
      column.name(attributeLimits.length),
      v.check(
        (name) => wrongAttributeName({ [name]: 0 }) === undefined,
        'must be lowercase letters, digits and underscores',
      ),
    ),
  ),
  at_least: v.nullable(v.number('must be a number')),
});
type PhaseRow = v.InferOutput<typeof PhaseRow>;

export const phases = defineDataset({
  name: 'phases',
  plural: 'phases',
  key: 'title',
  parentKey: 'event_code',
  // All phases of an event are one row.
  serialBy: 'event_code',
  schema: PhaseRow,
  async open(context) {
    const names = await readNames(context);
    return {
      defaults: {
        from_unix: null,
        until_unix: null,
        price_codes: null,
        max_per_person: null,
        membership_type_codes: null,
        campaign_title: null,
        attribute: null,
        at_least: null,
      },
      find: async (title, eventCode) => onlyOne(await rowsOf(context, eventCode, names), title),
      save: (row, _isGiven, tried) => save(context, row, { names, tried }),
    };
  },
  total: ({ table, orgId }) => countEvents(table, orgId),
  countsParents: true,
  async *rows(context, note) {
    const names = await readNames(context);
    noteSharedTitles(names.campaigns, note);
    for await (const { code } of everyEvent(context.table, context.orgId)) {
      const rows = await rowsOf(context, code, names);
      const found = [...new Set(rows.map((row) => row.title))].map((title) => onlyOne(rows, title));
      for (const one of found) if (one !== undefined && 'rejected' in one) note(`${code}: ${one.rejected}`);
      yield* rows;
    }
  },
});

/** The phase with a title; undefined if there is none. Titles need not be unique, and nothing else says which one is meant. */
function onlyOne<Phase extends { readonly title: string }>(phases: readonly Phase[], title: string) {
  const [first, ...others] = phases.filter((phase) => phase.title === title);
  if (others.length === 0) return first;
  const rejected = `${others.length + 1} phases of the event have the title "${title}". Give each its own title with update-phase.`;
  return { rejected };
}

type Names = Awaited<ReturnType<typeof readNames>>;

/** What the phases of all events refer to. */
async function readNames({ table, orgId }: TransferContext) {
  const [{ types }, campaigns] = await Promise.all([
    readMembershipConfig(table, orgId, { consistent: true }),
    listCampaigns(table, orgId, { consistent: true }),
  ]);
  return { types, campaigns };
}

async function rowsOf(context: TransferContext, eventCode: string, names: Names): Promise<PhaseRow[]> {
  const { table, orgId } = context;
  const priced = await readPricedEvent(table, orgId, derivedEventId(orgId, eventCode), { consistent: true });
  if (priced?.phases === undefined) return [];
  // A requirement that is left out would let everybody in.
  const isKnown = priced.phases.phases.every(({ requires }) => isNamed(requires, names));
  const { types, campaigns } = isKnown ? names : await readNames(context);
  return priced.phases.phases.map(({ requires, priceIndexes, ...phase }) => ({
    event_code: eventCode,
    title: phase.title,
    from_unix: phase.fromUnix,
    until_unix: phase.untilUnix,
    price_codes: priceIndexes?.flatMap((index) => priced.prices.find((one) => one.index === index)?.code ?? []) ?? null,
    max_per_person: phase.maxPerPerson,
    membership_type_codes:
      requires.membershipTypeIds.length === 0
        ? null
        : requires.membershipTypeIds.flatMap((typeId) => types.get(typeId)?.code ?? []),
    campaign_title: campaigns.find(({ campaignId }) => campaignId === requires.codeCampaignId)?.title ?? null,
    attribute: requires.attribute?.name ?? null,
    at_least: requires.attribute?.atLeast ?? null,
  }));
}

function isNamed({ membershipTypeIds, codeCampaignId }: PhaseRequirements, { types, campaigns }: Names): boolean {
  const hasCampaign = codeCampaignId === null || campaigns.some(({ campaignId }) => campaignId === codeCampaignId);
  return hasCampaign && membershipTypeIds.every((typeId) => types.has(typeId));
}

async function save(
  { table, orgId }: TransferContext,
  row: PhaseRow,
  { names, tried }: { readonly names: Names; readonly tried: TriedWrites },
): Promise<SaveResult> {
  const eventId = derivedEventId(orgId, row.event_code);
  const priced = await readPricedEvent(table, orgId, eventId, { consistent: true });
  if (priced === undefined) return { rejected: `event_code "${row.event_code}" does not exist.` };
  const requires = requirementsOf(orgId, row, names);
  if ('rejected' in requires) return requires;
  const indexOf = (code: string): number => priced.prices.find((price) => price.code === code)?.index ?? 0;
  const given: PhaseFields = {
    title: row.title,
    fromUnix: row.from_unix,
    untilUnix: row.until_unix,
    priceIndexes: row.price_codes?.map(indexOf) ?? null,
    maxPerPerson: row.max_per_person,
    requires,
  };
  const before = onlyOne(priced.phases?.phases ?? [], row.title);
  if (before !== undefined && 'rejected' in before) return before;
  const write = (): Promise<SavedPhase> =>
    before === undefined
      ? createPhase(table, orgId, eventId, { given, sideEffects: () => [] })
      : updatePhase(table, orgId, { eventId, number: before.number }, { change: given, ifMatch: undefined });
  const saved = await tried.send(before === undefined ? 'created' : 'updated', write);
  if (saved.outcome !== 'saved') return rejection(saved);
  if (before === undefined) return 'created';
  return saved.phase.version === before.version ? 'unchanged' : 'updated';
}

/** What the row asks of a buyer, or why it is rejected. */
function requirementsOf(orgId: string, row: PhaseRow, { campaigns }: Names): PhaseRequirements | Rejection {
  const campaign = row.campaign_title === null ? null : campaignByTitle(campaigns, row.campaign_title);
  if (campaign === undefined) return { rejected: `campaign_title "${row.campaign_title}" does not exist.` };
  if (campaign !== null && 'rejected' in campaign) return campaign;
  if ((row.attribute === null) !== (row.at_least === null)) {
    return { rejected: 'attribute and at_least: give both, or neither.' };
  }
  return {
    membershipTypeIds: (row.membership_type_codes ?? []).map((code) => derivedId(orgId, 'type', code)),
    codeCampaignId: campaign?.campaignId ?? null,
    attribute: row.attribute === null ? null : { name: row.attribute, atLeast: row.at_least ?? 0 },
  };
}

function rejection(refused: Exclude<SavedPhase, { outcome: 'saved' }>): Rejection {
  switch (refused.outcome) {
    case 'overlap':
      return { rejected: `The phase "${refused.other.title}" sells one of these prices at the same time.` };
    case 'ends_before_start':
      return { rejected: 'from_unix must be before until_unix.' };
    case 'price_missing':
      return { rejected: 'One of price_codes does not exist in the event.' };
    case 'type_missing':
      return { rejected: 'One of membership_type_codes does not exist.' };
    case 'too_many_phases':
      return { rejected: `An event has at most ${phaseLimits.perEvent} phases.` };
    default:
      return { rejected: 'The event, the campaign or the phase changed meanwhile. Import the row again.' };
  }
}
