import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { FoundCode } from '../../domain/baskets/codes.ts';
import { stockRef } from '../../domain/baskets/stock-moves.ts';
import { type CodeCampaign, type CodeRecord, isCode } from '../../domain/codes/campaign.ts';
import { slicesOf } from '../../domain/prices/slices.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { followCapacity } from '../prices/follow-capacity.ts';
import { stockItems } from '../prices/stock.ts';
import { batchGet } from '../table/batch-get.ts';
import { derivedCodeStockId } from '../table/derived-id.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { campaignCodesPartition, codeKey, stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { maxTransactionItems, type TransactItem, transact } from '../table/transact.ts';
import { readCampaign } from './campaigns.ts';
import { codeItem, codeSortKey, parseCode } from './row.ts';

export function newCodeRecord(orgId: string, campaign: CodeCampaign, code: string, nowUnix: number): CodeRecord {
  const { campaignId } = campaign;
  return { code, campaignId, createdUnix: nowUnix, stockId: derivedCodeStockId(orgId, code), deletedUnix: null };
}

/**
 * Writes new codes of a campaign, and the stock that counts the uses of each if they are limited. The side effects are in the last
 * transaction: a request that dies before has left codes which nobody has seen. False if the last of them is taken: then
 * nothing is written for one code alone.
 */
export async function createCodes(
  table: Table,
  orgId: string,
  { codes, usesPerCode }: { readonly codes: readonly CodeRecord[]; readonly usesPerCode: number | null },
  sideEffects: readonly TransactItem[],
): Promise<boolean> {
  const isNew = { TableName: table.name, ConditionExpression: 'attribute_not_exists(pk)' };
  const rows = codes.map((code) => [codeItem(orgId, code), ...usesItems(orgId, code, usesPerCode)]);
  const perTransaction = Math.floor((maxTransactionItems - sideEffects.length - 1) / (rows[0]?.length ?? 1));
  for (let from = 0; from < rows.length; from += perTransaction) {
    const items = rows.slice(from, from + perTransaction).flat();
    const isLast = from + perTransaction >= rows.length;
    const puts = items.map((Item) => ({ Put: { ...isNew, Item } }));
    if ((await transact(table, puts, isLast ? sideEffects : [])).length > 0) return false;
  }
  return true;
}

function usesItems(orgId: string, { stockId }: CodeRecord, uses: number | null) {
  if (uses === null) return [];
  const stock = { ...usesOf(stockId), version: 1, stockSlices: slicesOf(uses), stockVersion: 0 };
  return stockItems(orgId, stock, { avail: uses, capacity: uses });
}

const usesOf = (stockId: number) => stockRef({ kind: 'code', stockId });

export async function readCode(table: Table, orgId: string, code: string): Promise<CodeRecord | undefined> {
  const item = isCode(code) ? await getItem(table, codeKey(orgId, code), { consistent: true }) : undefined;
  return item === undefined ? undefined : parseCode(item);
}

/** Returns a code with its campaign and where its uses are counted; undefined if the organisation has no such code. */
export async function findCode(table: Table, orgId: string, text: string): Promise<FoundCode | undefined> {
  const code = await readCode(table, orgId, text);
  const campaign = code && (await readCampaign(table, orgId, code.campaignId));
  if (code === undefined || campaign === undefined) return undefined;
  const { usesPerCode } = campaign;
  const stockSlices =
    usesPerCode === null
      ? null
      : await followCapacity(table, orgId, usesOf(code.stockId), { capacity: usesPerCode, what: 'uses of this code' });
  return { code, campaign, stockSlices };
}

export interface CountedCode {
  readonly code: CodeRecord;
  /** Null if the uses are not limited, and so not counted. */
  readonly uses: number | null;
}

interface CodeListing {
  readonly orgId: string;
  readonly campaign: CodeCampaign;
  readonly after: string | undefined;
  readonly limit: number;
}

interface CodePage {
  readonly codes: readonly CountedCode[];
  readonly next: string | undefined;
}

/** Reads codes of a campaign in the order of their creation, with how often each is used or held. */
export async function listCodes(table: Table, { orgId, campaign, after, limit }: CodeListing): Promise<CodePage> {
  const { items, hasMore } = await readIndexPage(table, {
    partition: campaignCodesPartition(orgId, campaign.campaignId),
    after,
    limit,
  });
  const codes = items.map(parseCode);
  const uses = campaign.usesPerCode === null ? new Map<number, number>() : await usesByStock(table, orgId, codes);
  const last = codes.at(-1);
  return {
    codes: codes.map((code) => ({ code, uses: campaign.usesPerCode === null ? null : (uses.get(code.stockId) ?? 0) })),
    next: hasMore && last !== undefined ? codeSortKey(last) : undefined,
  };
}

/** The first slice has the capacity, and says how many slices there are. */
const Slice = v.object({
  pk: v.string(),
  sk: v.string(),
  avail: v.number(),
  capacity: v.optional(v.number(), 0),
  slices: v.optional(v.number(), 1),
});

/** Most codes have one slice. The others of a word that many share are read at once. */
async function usesByStock(
  table: Table,
  orgId: string,
  codes: readonly CodeRecord[],
): Promise<ReadonlyMap<number, number>> {
  const readSlices = async (wanted: readonly { readonly stockId: number; readonly slice: number }[]) => {
    const keys = wanted.map(({ stockId, slice }) => {
      const { eventId, index } = usesOf(stockId);
      return { ...stockKey(orgId, eventId, index, slice), stockId };
    });
    const stockIds = new Map(keys.map(({ pk, sk, stockId }) => [`${pk} ${sk}`, stockId]));
    const found = (await batchGet(table, keys, { consistent: true })).map((item) => v.parse(Slice, item));
    return found.map((slice) => ({ ...slice, stockId: stockIds.get(`${slice.pk} ${slice.sk}`) ?? 0 }));
  };
  const first = await readSlices(codes.map(({ stockId }) => ({ stockId, slice: 0 })));
  const others = await readSlices(
    first.flatMap(({ stockId, slices }) =>
      Array.from({ length: slices - 1 }, (_, index) => ({ stockId, slice: index + 1 })),
    ),
  );
  const uses = new Map<number, number>();
  for (const { stockId, avail, capacity } of [...first, ...others]) {
    uses.set(stockId, (uses.get(stockId) ?? 0) + capacity - avail);
  }
  return uses;
}

/** Deletes a code. Its row stays, so that its text is not given away again. False if the campaign has no such code. */
export async function deleteCode(
  table: Table,
  orgId: string,
  { code, campaignId, nowUnix }: { readonly code: string; readonly campaignId: number; readonly nowUnix: number },
): Promise<boolean> {
  if (!isCode(code)) return false;
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: codeKey(orgId, code),
        UpdateExpression: 'SET deletedUnix = if_not_exists(deletedUnix, :now) REMOVE by1pk, by1sk',
        ConditionExpression: 'campaignId = :campaign',
        ExpressionAttributeValues: { ':now': nowUnix, ':campaign': campaignId },
      }),
    );
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
