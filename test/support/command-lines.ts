import { writeOrder } from '../../shared/data/orders/write.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { savedMember } from '../../tools/fixtures/members.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import type { Files } from './import-files.ts';
import { memberDraft } from './membership-members.ts';

interface Given {
  readonly table: Table;
  readonly orgId: string;
  readonly nowMs: number;
  readonly files: Files;
  /** The JSON document of a command that succeeds. */
  documentOf(...words: readonly string[]): Promise<{ readonly token_id: string }>;
}

/** An organisation, and the arguments of every command that has the same result when it is repeated, in an order in which all succeed. */
export async function givenCommandLines({ table, orgId, nowMs, files, documentOf }: Given) {
  await givenOrganisation(table, orgId);
  await givenCustomer(table, orgId, { orgCustomerId: 'C-1', firstName: 'Ada', emailAddress: 'ada@example.com' });
  await givenCustomer(table, orgId, { orgCustomerId: 'C-2', firstName: 'Grace' });
  await savedMember(table, orgId, memberDraft('1', { barcode: 'CARD-1' }), nowMs / 1000 - 9);
  const { eventId } = await givenEvent(table, orgId, { code: 'r5' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId, code: 'east' });
  await givenPrice(table, orgId, { eventId, categoryId, code: 'adult' });
  await givenPool(table, orgId, { eventId, code: 'terrace' });
  const placed = [anOrder({ eventId }), anOrder({ eventId })];
  for (const each of placed) await writeOrder(table, orgId, each);
  const [order = '', cancelled = ''] = placed.map(({ orderId }) => String(orderId));
  const origins = ['--origins', 'https://shop.example.com'];
  const storefrontId = (await documentOf('storefront', 'issue', orgId, ...origins)).token_id;
  const tokenId = (await documentOf('gate', 'token', 'issue', orgId)).token_id;
  await documentOf('key', 'issue', orgId, '--scopes', 'read');
  const login = ['--issuer', 'https://login.example.com'];
  const fan = [...login, '--subject', 'ada'];
  const row = (text: string): string => files.write('rows.ndjson', `${text}\n`);
  return {
    'org update': () => [orgId, '--name', 'Another club'],
    'org receipts': () => [orgId, '--seller-name', 'Club Ltd', '--seller-address', '1 Quay Street'],
    'key revoke': () => [orgId, '1', '--yes'],
    'gate add': () => [orgId, '4', '--name', 'East', '--price-categories', 'east,west'],
    'gate token revoke': () => [orgId, tokenId, '--yes'],
    'storefront update': () => [orgId, storefrontId, '--origins', 'https://new.example.com'],
    'storefront sale': () => [orgId, storefrontId, '--buyers', '50000'],
    'storefront revoke': () => [orgId, storefrontId, '--yes'],
    'sso provider add': () => [
      ...[orgId, '--id', 'login', ...login, '--audience', 'fans'],
      ...['--jwks-uri', 'https://login.example.com/keys'],
    ],
    'sso link': () => [orgId, 'C-2', ...fan],
    'sso unlink': () => [orgId, ...fan, '--yes'],
    'sso provider remove': () => [orgId, 'login', '--yes'],
    'gate remove': () => [orgId, '4', '--yes'],
    'import venues': () => [orgId, row('{"venue_id":"park","venue_name":"Park"}')],
    'import customers': () => [orgId, row('{"org_customer_id":"C-3","first_name":"Mary"}')],
    'edit venue': () => [orgId, 'park', '--venue-name', 'Harbour Park'],
    'edit event': () => [orgId, 'r5', '--title', 'Round five'],
    'edit price-category': () => [orgId, 'r5', 'east', '--title', 'Eastern stand'],
    'edit pool': () => [orgId, 'r5', 'terrace', '--capacity', '120'],
    'edit price': () => [orgId, 'r5', 'adult', '--title', 'Grown-up'],
    'member set-status': () => [orgId, '1', 'paid', '--number'],
    'member fulfil': () => [orgId, '1', '--number', '--tracking-code', 'AB1'],
    'canary create': () => [],
    'order refund': () => [orgId, order, '--yes'],
    'order cancel': () => [orgId, cancelled, '--yes'],
    'customer erase': () => [orgId, 'C-1', '--yes'],
  } satisfies Record<string, () => readonly string[]>;
}

/** The names of these commands. A test has to know them before its table exists. */
export const repeatableCommands = [
  'org update',
  'org receipts',
  'key revoke',
  'gate add',
  'gate token revoke',
  'storefront update',
  'storefront sale',
  'storefront revoke',
  'sso provider add',
  'sso link',
  'sso unlink',
  'sso provider remove',
  'gate remove',
  'import venues',
  'import customers',
  'edit venue',
  'edit event',
  'edit price-category',
  'edit pool',
  'edit price',
  'member set-status',
  'member fulfil',
  'canary create',
  'order refund',
  'order cancel',
  'customer erase',
] as const satisfies (keyof Awaited<ReturnType<typeof givenCommandLines>>)[];
