import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { auditOrganisationStep } from '../../shared/data/audit/organisation.ts';
import { type OrganisationPosition, organisationStart } from '../../shared/data/audit/position.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import type { ItemKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Finding } from '../../shared/domain/audit/finding.ts';
import { cancelOrRefundTickets } from '../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { aScan, itemsLike } from '../../tools/fixtures/orders.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from './baskets.ts';

let made = 0;

/** An organisation with members and an event: two orders, one of them partly cancelled, an open basket and two scans. */
export async function givenSales(table: Table) {
  made += 1;
  const deps = checkoutDepsOf(table, `org_audit${made}`);
  const { orgId } = deps;
  await givenOrganisation(table, orgId);
  const { event, price } = await givenOnSale(table, orgId);
  const bought = async (quantity: number): Promise<number> => {
    const { basketId } = await givenBasket(deps, price, quantity);
    const { outcome } = await checkOutWith(deps, basketId);
    expect(outcome).toBe('confirmed');
    return basketId;
  };
  const [orderId, changedId] = [await bought(2), await bought(3)];
  const changed = await readOrderWithTickets(table, orgId, changedId);
  const tickets = [changed?.tickets[0]?.ticketId ?? 0];
  await cancelOrRefundTickets(deps, changedId, { tickets, to: 'cancelled' });
  await givenBasket(deps, price, 4);
  const order = await readOrderWithTickets(table, orgId, orderId);
  for (const [index, ticket] of (order?.tickets ?? []).entries()) {
    const scan = aScan(ticket.barcode, { eventId: event.eventId, scannedUnix: noonUnix + index });
    await recordScan(table, { orgId, scan, nonce: null });
  }
  await givenMembers(table, orgId, [
    aMember({ memberNumber: 'M1', firstName: 'Ada' }),
    aMember({ memberNumber: 'M2', firstName: 'Grace' }),
  ]);
  return { deps, orgId, eventId: event.eventId, orderId, barcode: order?.tickets[0]?.barcode ?? '' };
}

/** Two looks without a pause: nothing writes during these audits. */
export const atOnce = { looks: 2, wait: async () => {} };

export async function findingsOf(table: Table, orgId: string, nowUnix = noonUnix): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let at: OrganisationPosition | undefined = organisationStart; at !== undefined; ) {
    const step = await auditOrganisationStep(table, orgId, at, { nowUnix, confirmation: atOnce });
    findings.push(...step.findings);
    at = step.next;
  }
  return findings;
}

export async function keyLike(table: Table, beginning: string): Promise<ItemKey> {
  const [item] = await itemsLike(table, beginning);
  if (item === undefined) throw new Error(`There is no item ${beginning}.`);
  return { pk: String(item.pk), sk: String(item.sk) };
}

export const add = (table: Table, Key: ItemKey, name: string, count: number) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: 'ADD #name :count',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':count': count },
    }),
  );
export const set = (table: Table, Key: ItemKey, name: string, value: unknown) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
export const remove = (table: Table, Key: ItemKey) =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key }));

export const idText = (id: number) => String(id).padStart(16, '0');

export type Sales = Awaited<ReturnType<typeof givenSales>>;
