import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import { aCustomer, givenCustomers, someSecond } from '../../../tools/fixtures/customers.ts';
import { customerOrders, listPage, readAllPages } from '../../support/customer-lists.ts';
import { modelList, modelPage } from '../../support/customer-model.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenCustomers(table, 'org_all', allCustomers);
});

// biome-ignore format: a table of texts
const unusualTexts = [
  null, '', ' ', 'Anna', 'ANNA', 'anna', 'Ånna', 'A\u030anna', 'Müller', 'Mu\u0308ller', 'MULLER', 'ｍuller', "O'Brien",
  "Robert'); DROP TABLE customers;--", "' OR 1=1 --", '%', '_', '#', 'a\u0000', 'a\u0000!', 'a', 'a!', '\u0000', '\u0001',
  '\u007f', '\t\n', '\ue000', '\uffff', '\ufffd', '😀', '😀 Anna', '👩‍👩‍👧', '\u{10ffff}', '李', '李小龍', 'Ελένη', 'ΕΛΕΝΗ', 'Νίκος', 'ΝΙΚΟΣ',
  'Ægir', 'ß', 'SS', 'İstanbul', 'ﷺ', 'x'.repeat(200), `${'x'.repeat(150)}a`, `${'x'.repeat(149)}😀`, 'Jean-Luc van der Berg',
  '...', '--', '\u0301', '٣', '３', 'OBrien', 'O´Brien', 'Mueller', 'Michal', 'Michael', '小龍', '김민수', '민수', '東京 ダービー', 'Größe', 'Groesse',
];

const otherSpellings = [
  'obri',
  'sw1a1',
  '1000001',
  'mue',
  'groes',
  'gross',
  '@example.com',
  'examplecom',
  'ービ',
  '龍',
];

const fieldText = fc.oneof(fc.constantFrom(...unusualTexts), fc.string({ unit: 'grapheme', maxLength: 12 }));
const person = fc.record({
  addedUnix: fc.integer({ min: someSecond, max: someSecond + 40 }),
  updated: fc.option(fc.integer({ min: 0, max: 40 })),
  firstName: fieldText,
  lastName: fieldText,
  mailbox: fieldText,
  mobileNumber: fc.constantFrom(null, '+44 7700 900123', '0412 345-678', '(03) 9999 1234', '٠٤١٢', '+'),
  postcode: fc.constantFrom(null, '3000', 'SW1A 1AA', '1000-001', '😀'),
  ownId: fc.option(
    fc.tuple(fc.constantFrom('C', 'c', 'Ç-', 'CUST ', '300'), fc.nat(20)).map((parts) => parts.join('')),
  ),
});

/** A few hundred people: equal names, equal times, and unusual characters. */
function population(): CustomerRecord[] {
  const taken = new Set<string>();
  return fc.sample(person, 240).map(({ addedUnix, updated, mailbox, ownId, ...fields }, index) => {
    const userId = idOf(addedUnix, index * 7919 + 1);
    const orgCustomerId = ownId === null || taken.has(ownId) ? String(userId) : ownId;
    taken.add(orgCustomerId);
    const emailAddress = mailbox === null ? null : `${mailbox}${index}@example.com`;
    return aCustomer({ ...fields, userId, orgCustomerId, emailAddress, updatedUnix: updated && addedUnix + updated });
  });
}

const allCustomers = population();

describe.each(customerOrders)('list-customers by $sort, descending: $descending', ({ sort, descending }) => {
  const words = allCustomers.flatMap(({ firstName, lastName, emailAddress, mobileNumber, postcode }) =>
    [firstName, lastName, emailAddress, mobileNumber, postcode].flatMap((text) => text?.split(' ') ?? []),
  );
  const beginning = fc
    .tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 12 }), fc.boolean())
    .map(([word, length, isUpperCase]) => (isUpperCase ? word.toUpperCase() : word).slice(0, length));
  const someId = fc
    .constantFrom(...allCustomers)
    .chain(({ orgCustomerId, userId }) => fc.constantFrom(orgCustomerId, orgCustomerId.toUpperCase(), String(userId)));
  const anything = fc.string({ unit: 'binary', maxLength: 400 });
  const text = fc.oneof(
    beginning,
    beginning,
    someId,
    anything,
    fc.constantFrom(...unusualTexts, ...otherSpellings).map(String),
  );
  const query = fc.record({
    search: fc.option(
      fc.array(text, { minLength: 1, maxLength: 2 }).map((texts) => texts.join(' ')),
      { nil: undefined },
    ),
    updatedSince: fc.option(fc.integer({ min: someSecond - 1, max: someSecond + 80 }), { nil: undefined }),
    limit: fc.integer({ min: 15, max: 100 }),
    jump: fc.integer({ min: 1, max: 12 }),
  });

  it('list-customers returns what the model returns for any search, on every page read in sequence and on a page read directly', async () => {
    await fc.assert(
      fc.asyncProperty(query, async ({ search, updatedSince, limit, jump }) => {
        const expected = modelList(allCustomers, { sort, descending, search, updatedSince });
        const request = { orgId: 'org_all', sort, descending, search, updatedSince, limit };
        expect(await listPage(table, { ...request, page: jump })).toEqual(modelPage(expected, jump, limit));
        expect(await readAllPages(table, request)).toEqual(expected);
      }),
      { numRuns: amount(2, 6) },
    );
  });
});
