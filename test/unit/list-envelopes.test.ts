import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Customer } from '../../shared/operations/schemas/customer.ts';
import { Event } from '../../shared/operations/schemas/event.ts';
import { PriceCategoryStats, PriceStats } from '../../shared/operations/schemas/event-stats.ts';
import {
  countedEventListOf,
  cursorListOf,
  dataOf,
  eventDataOf,
  eventListOf,
  listOf,
  organisationListOf,
  ssoListOf,
  summaryOf,
} from '../../shared/operations/schemas/list-envelope.ts';
import { Member } from '../../shared/operations/schemas/member.ts';
import { MembershipType } from '../../shared/operations/schemas/membership-type.ts';
import { Order } from '../../shared/operations/schemas/order.ts';
import { Price } from '../../shared/operations/schemas/price.ts';
import { SalesSummaryRow } from '../../shared/operations/schemas/sales-summary.ts';
import { Scan } from '../../shared/operations/schemas/scan.ts';
import { SsoOrder } from '../../shared/operations/schemas/sso-order.ts';
import { SsoTicket } from '../../shared/operations/schemas/sso-ticket.ts';
import { WebhookEvent } from '../../shared/operations/schemas/webhook-event.ts';
import * as membership from '../../tools/fixtures/examples/membership-examples.ts';
import * as example from '../../tools/fixtures/examples/resource-examples.ts';
import * as webhook from '../../tools/fixtures/examples/webhook-examples.ts';
import { fieldsOf, type ResourceContract, testResourceContract } from '../support/resource-contract.ts';

const url = 'https://api.example.com/v1/things';
const paged = { url, has_more: true };
const event_id = example.eventExample.event_id;
const cursor = 'eyJhZnRlciI6N30';
const pagedFields = 'object (string), url (string), has_more (boolean), data (array)';

const contracts: Record<string, ResourceContract> = {
  CustomerList: {
    schema: organisationListOf('customers', Customer),
    example: { object: 'customers', ...paged, org_id: 'harbour-fc', data: [example.customerExample] },
    fields: fieldsOf(`${pagedFields}, org_id (string)`),
    neverNull: ['object', 'url', 'has_more', 'org_id', 'data'],
  },
  EventList: {
    schema: organisationListOf('events', Event),
    example: { object: 'events', ...paged, org_id: 'harbour-fc', data: [example.eventExample] },
    fields: fieldsOf(`${pagedFields}, org_id (string)`),
    neverNull: ['object', 'url', 'has_more', 'org_id', 'data'],
  },
  OrderList: {
    schema: eventListOf('orders', Order),
    example: { object: 'orders', ...paged, event_id, data: [example.orderExample] },
    fields: fieldsOf(`${pagedFields}, event_id (string)`),
    neverNull: ['object', 'url', 'has_more', 'event_id', 'data'],
  },
  MemberList: {
    schema: cursorListOf('members', Member),
    example: { object: 'members', ...paged, next_cursor: cursor, data: [membership.memberExample] },
    fields: fieldsOf(`${pagedFields}, next_cursor (string)`),
    neverNull: ['object', 'url', 'has_more', 'data'],
  },
  MembershipTypeList: {
    schema: listOf('membership_types', MembershipType),
    example: { object: 'membership_types', ...paged, data: [membership.membershipTypeExample] },
    fields: fieldsOf(pagedFields),
    neverNull: ['object', 'url', 'has_more', 'data'],
  },
  ScanList: {
    schema: countedEventListOf(Scan),
    example: { event_id, total: 1, has_more: false, data: [example.scanExample] },
    fields: fieldsOf('event_id (string), total (integer), has_more (boolean), data (array)'),
    neverNull: ['event_id', 'total', 'has_more', 'data'],
  },
  PriceList: {
    schema: dataOf(Price),
    example: { data: [example.priceExample] },
    fields: fieldsOf('data (array)'),
    neverNull: ['data'],
  },
  PriceCategoryStatsList: {
    schema: eventDataOf(PriceCategoryStats),
    example: { event_id, data: [example.priceCategoryStatsExample] },
    fields: fieldsOf('event_id (string), data (array)'),
    neverNull: ['event_id', 'data'],
  },
  PriceStatsList: {
    schema: eventDataOf(PriceStats),
    example: { event_id, data: [example.priceStatsExample] },
    fields: fieldsOf('event_id (string), data (array)'),
    neverNull: ['event_id', 'data'],
  },
  SalesSummaryRowList: {
    schema: summaryOf(SalesSummaryRow, {}),
    example: { data: [example.salesSummaryRowExample], has_more: false },
    fields: fieldsOf('data (array), has_more (boolean)'),
    neverNull: ['data', 'has_more'],
  },
  SsoOrderList: {
    schema: ssoListOf('sso_orders', SsoOrder),
    example: { object: 'sso_orders', data: [example.ssoOrderExample] },
    fields: fieldsOf('object (string), data (array)'),
    neverNull: ['object', 'data'],
  },
  SsoTicketList: {
    schema: ssoListOf('sso_tickets', SsoTicket),
    example: { object: 'sso_tickets', data: [example.ssoTicketExample] },
    fields: fieldsOf('object (string), data (array)'),
    neverNull: ['object', 'data'],
  },
  WebhookEventList: {
    schema: cursorListOf('webhook_events', WebhookEvent),
    example: { object: 'webhook_events', ...paged, next_cursor: cursor, data: webhook.webhookEventExamples },
    fields: fieldsOf(`${pagedFields}, next_cursor (string)`),
    neverNull: ['object', 'url', 'has_more', 'data'],
  },
};

describe.each(Object.entries(contracts))('%s', (title, contract) => {
  testResourceContract(title, contract);

  it('the list can be empty', () => {
    expect(v.is(contract.schema, { ...contract.example, data: [] })).toBe(true);
  });

  it('the list refuses an item of another resource', () => {
    expect(v.is(contract.schema, { ...contract.example, data: [{ surprise: null }] })).toBe(false);
  });
});

describe('list envelopes with an object field', () => {
  const naming = Object.entries(contracts).filter(([, contract]) => 'object' in contract.fields);

  it.each(naming)('the list envelope refuses the object of another list: %s', (_, { schema, example }) => {
    expect(v.is(schema, { ...example, object: 'surprises' })).toBe(false);
  });
});

describe('cursorListOf', () => {
  it('cursorListOf ends with a null cursor', () => {
    const last = { object: 'members', url, has_more: false, next_cursor: null, data: [] };
    expect(v.is(cursorListOf('members', Member), last)).toBe(true);
  });
});

describe('listOf', () => {
  it('listOf refuses an item schema without a title for the OpenAPI document', () => {
    expect(() => listOf('things', v.strictObject({}))).toThrow('title');
  });
});
