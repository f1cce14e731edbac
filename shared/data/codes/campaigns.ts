import type { CodeCampaign } from '../../domain/codes/campaign.ts';
import { priceOfId } from '../../domain/prices/price.ts';
import { parseEvent } from '../events/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { codeCampaignKey, codeCampaignsPartition, eventKey, type ItemKey, priceKey, revealKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { campaignItem, parseCampaign } from './row.ts';

export async function readCampaign(table: Table, orgId: string, campaignId: number): Promise<CodeCampaign | undefined> {
  const item = await getItem(table, codeCampaignKey(orgId, campaignId), { consistent: true });
  return item === undefined ? undefined : parseCampaign(item);
}

/** Returns all campaigns of an organisation, the newest first. They are as few as its promotions. */
export async function listCampaigns(
  table: Table,
  orgId: string,
  { consistent = false }: ReadOptions = {},
): Promise<readonly CodeCampaign[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': codeCampaignsPartition(orgId) },
    ScanIndexForward: false,
    ConsistentRead: consistent,
  });
  return items.map(parseCampaign);
}

/**
 * Writes a campaign, and in the same transaction the rows that hide the prices which only its codes reveal. Those are in the
 * partition of the event, where every hold and every price list reads them without a call more. False if it has changed meanwhile.
 */
export async function saveCampaign(
  table: Table,
  orgId: string,
  { before, after }: { readonly before: CodeCampaign | undefined; readonly after: CodeCampaign },
  sideEffects: readonly TransactItem[],
): Promise<boolean> {
  const TableName = table.name;
  const known = before?.revealsPriceIds ?? [];
  const added = after.revealsPriceIds.filter((id) => !known.includes(id));
  const removed = known.filter((id) => !after.revealsPriceIds.includes(id));
  const rowsOf = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const price = priceOfId(id);
      return price === undefined ? [] : [revealKey(orgId, price, after.campaignId)];
    });
  const refused = await transact(
    table,
    [
      { Put: { TableName, Item: campaignItem(orgId, after), ...unchangedSince(before) } },
      ...rowsOf(added).map((Item) => ({ Put: { TableName, Item: { ...Item, campaignId: after.campaignId } } })),
      ...rowsOf(removed).map((Key) => ({ Delete: { TableName, Key } })),
    ],
    sideEffects,
  );
  return refused.length === 0;
}

/** Returns those of the prices that the organisation does not have. */
export async function missingPrices(table: Table, orgId: string, ids: readonly number[]): Promise<readonly number[]> {
  const keyOf = (id: number): ItemKey | undefined => {
    const price = priceOfId(id);
    return price && priceKey(orgId, price.eventId, price.index);
  };
  const keys = ids.flatMap((id) => keyOf(id) ?? []);
  const found = await batchGet(table, keys, { consistent: true });
  return ids.filter((id) => {
    const key = keyOf(id);
    return !found.some(({ pk, sk }) => pk === key?.pk && sk === key?.sk);
  });
}

/** Returns the currencies of those of the events that the organisation has. */
export async function currenciesOfEvents(
  table: Table,
  orgId: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const keys = [...new Set(ids)].map((id) => eventKey(orgId, id));
  const events = (await batchGet(table, keys, { consistent: true })).map(parseEvent);
  return new Map(events.map(({ eventId, currency }) => [eventId, currency]));
}
