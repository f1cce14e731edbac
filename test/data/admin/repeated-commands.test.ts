import { Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf } from '../../../admin/cli.ts';
import { createProgram } from '../../../admin/program.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { anOrder } from '../../../tools/fixtures/orders.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { Files } from '../../support/import-files.ts';
import { memberDraft } from '../../support/membership-members.ts';

const orgId = 'org_again';
const nowMs = Date.UTC(2026, 10, 14, 12);
const { table, admin } = await givenAdmin(() => nowMs);
const files = new Files();
afterAll(() => files.remove());

let order: string;
let cancelled: string;
let tokenId: string;
let storefrontId: string;

beforeAll(async () => {
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
  [order = '', cancelled = ''] = placed.map(({ orderId }) => String(orderId));
  const origins = ['--origins', 'https://shop.example.com'];
  storefrontId = (await documentOf(admin, 'storefront', 'issue', orgId, ...origins)).token_id;
  tokenId = (await documentOf(admin, 'gate', 'token', 'issue', orgId)).token_id;
  await documentOf(admin, 'key', 'issue', orgId, '--scopes', 'read');
});

const login = ['--issuer', 'https://login.example.com'];
const fan = [...login, '--subject', 'ada'];
const row = (text: string): string => files.write('rows.ndjson', `${text}\n`);

/** Every command that has the same result when it is repeated, in an order in which all of them succeed. */
const repeatable: Record<string, () => readonly string[]> = {
  'org update': () => [orgId, '--name', 'Another club'],
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
};

/** Commands whose repeat is refused, because what they name exists already. */
const refusedAgain: Record<string, readonly [argv: () => readonly string[], code: string]> = {
  'org create': [
    () => ['--id', 'org_created', '--name', 'Club', '--country', 'AU', '--timezone', 'Australia/Melbourne'],
    'organisation_exists',
  ],
};

/** Commands that only read, and commands that make something new each time. The tests of signing keys, tables and migrations repeat theirs. */
const others = [
  ...[
    'org show',
    'key list',
    'gate list',
    'gate token list',
    'storefront list',
    'sso provider list',
    'sso links',
    'sso token',
  ],
  ...['member show', 'order show', 'customer export', 'customer erasures', 'audit', 'changes'],
  ...['org rotate-links', 'key issue', 'key rotate', 'gate token issue', 'storefront issue', 'storefront rotate'],
  ...[
    'wallet apple',
    'wallet google',
    'signing-key create',
    'signing-key rotate',
    'signing-key retire',
    'table warm',
    'migrate',
  ],
];

const words = (command: string): readonly string[] => command.split(' ');

describe('a CLI command that changes nothing', () => {
  it.each(Object.keys(repeatable))('says so: %s', async (command) => {
    const argv = [...words(command), ...(repeatable[command]?.() ?? [])];
    expect(await documentOf(admin, ...argv)).toMatchObject({ changed: true });
    expect(await documentOf(admin, ...argv)).toMatchObject({ changed: false });
    const { stdout } = await admin(...argv, '--local');
    expect(stdout).toMatch(/Nothing changed\.$/);
  });

  it.each(Object.entries(refusedAgain))('is refused: %s', async (command, [argv, code]) => {
    await documentOf(admin, ...words(command), ...argv());
    const { exitCode, stderr } = await admin(...words(command), ...argv(), '--local', '--json');
    expect({ exitCode, code: JSON.parse(stderr).error.code }).toEqual({ exitCode: 1, code });
  });

  it('is known for every command of the program', () => {
    const nothing = async (): Promise<void> => undefined;
    const program = createProgram({
      stdout: new Writable(),
      run: nothing,
      runOnStage: nothing,
    });
    const all = [...commandsOf(program)];
    const nameOf = (command: CommandUnknownOpts): string =>
      command.parent === null || command.parent === program
        ? command.name()
        : `${nameOf(command.parent)} ${command.name()}`;
    const leaves = all.filter(({ commands }) => commands.length === 0).map(nameOf);
    // The datasets are imported and exported by the same code.
    const single = leaves.filter((name) => !/^(import|export) /.test(name));
    const known = [...Object.keys(repeatable), ...Object.keys(refusedAgain), ...others];
    expect(single.toSorted()).toEqual(known.filter((name) => !name.startsWith('import ')).toSorted());
  });
});
