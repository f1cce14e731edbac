import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { stockRef } from '../../domain/baskets/stock-moves.ts';
import type { CodeCampaign } from '../../domain/codes/campaign.ts';
import { type CountedCode, listCodes } from '../codes/codes.ts';
import { parseCampaign } from '../codes/row.ts';
import { codeCampaignKey, codeCampaignsPartition, codeUsesPartition, stockKey } from '../table/keys.ts';
import { countItems, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { OrganisationPosition } from './position.ts';
import { unlessUnreadable } from './unreadable.ts';

type CodesPosition = Extract<OrganisationPosition, { part: 'codes' }>;

const codesPerPage = 50;
const concurrency = 10;

export interface AuditedCodes {
  readonly findings: readonly Finding[];
  /** Undefined after the last campaign. */
  readonly next: CodesPosition | undefined;
}

/**
 * Compares the uses of codes with a limit with the baskets and orders that have them. A deleted code is in no list, and so it is
 * not compared; it can take no more uses.
 */
export async function auditCodes(table: Table, orgId: string, position: CodesPosition): Promise<AuditedCodes> {
  const item = await nextCampaign(table, orgId, position.campaignId);
  if (item === undefined) return { findings: [], next: undefined };
  const campaignId = Number(item.sk);
  const following: CodesPosition = { part: 'codes', campaignId: campaignId + 1 };
  return unlessUnreadable<AuditedCodes>(
    `campaign ${campaignId} of ${orgId}`,
    () => auditCampaign(table, orgId, parseCampaign(item), { position, following }),
    (finding) => ({ findings: [finding], next: following }),
  );
}

/** Returns the row of the campaign with the lowest id from this one on; undefined if there is none. */
async function nextCampaign(
  table: Table,
  orgId: string,
  from: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': codeCampaignsPartition(orgId), ':from': codeCampaignKey(orgId, from).sk },
    ConsistentRead: true,
    Limit: 1,
  });
  for await (const [first] of pages) return first;
  return undefined;
}

async function auditCampaign(
  table: Table,
  orgId: string,
  campaign: CodeCampaign,
  { position, following }: { readonly position: CodesPosition; readonly following: CodesPosition },
): Promise<AuditedCodes> {
  const { campaignId, usesPerCode } = campaign;
  // Uses without a limit are not counted.
  if (usesPerCode === null) return { findings: [], next: following };
  const after = campaignId === position.campaignId ? position.after : undefined;
  const read = () => listCodes(table, { orgId, campaign, after, limit: codesPerPage });
  const { codes, next } = await read();
  const differing: { readonly counted: CountedCode; readonly difference: number }[] = [];
  for (let from = 0; from < codes.length; from += concurrency) {
    const some = codes.slice(from, from + concurrency);
    const differences = await Promise.all(some.map((counted) => differenceOf(table, orgId, counted)));
    differing.push(...some.map((counted, at) => ({ counted, difference: differences[at] ?? 0 })));
  }
  const wrong = differing.filter(({ difference }) => difference !== 0);
  // A code that is used meanwhile is compared by a later round.
  const later = wrong.length === 0 ? [] : (await read()).codes;
  const isQuiet = ({ code, uses }: CountedCode) =>
    later.some((one) => one.code.code === code.code && one.uses === uses);
  return {
    findings: wrong.filter(({ counted }) => isQuiet(counted)).map((one) => findingOf(orgId, one)),
    next: next === undefined ? following : { part: 'codes', campaignId, after: next },
  };
}

/** How many uses are counted that no basket and no order has. */
async function differenceOf(table: Table, orgId: string, { code, uses }: CountedCode): Promise<number> {
  const users = await countItems(table, {
    IndexName: 'by6',
    KeyConditionExpression: 'by6pk = :pk',
    ExpressionAttributeValues: { ':pk': codeUsesPartition(orgId, code.code) },
  });
  return (uses ?? 0) - users;
}

/** Names the stock of the code and not its text, which may be worth something. */
function findingOf(
  orgId: string,
  { counted, difference }: { readonly counted: CountedCode; readonly difference: number },
): Finding {
  const problem =
    difference > 0
      ? `${difference} uses of the code are taken that no basket and no order has.`
      : `${-difference} baskets and orders have a use of the code that is not taken.`;
  const { eventId, index } = stockRef({ kind: 'code', stockId: counted.code.stockId });
  return {
    check: 'code-uses',
    row: nameRow(stockKey(orgId, eventId, index)),
    problem: `${problem} (campaign ${counted.code.campaignId})`,
  };
}
