import { isDeepStrictEqual } from 'node:util';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { followAgain, readBook, saveReceiptSettings } from '../../shared/data/receipts/book.ts';
import { retryRaces } from '../../shared/data/table/retry.ts';
import { characterCount } from '../../shared/domain/characters.ts';
import type { ReceiptBook } from '../../shared/domain/receipts/book.ts';
import { isPrefix, prefixRule, type ReceiptSettings, settingsProblem } from '../../shared/domain/receipts/settings.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import {
  type ArgumentType,
  as,
  clearable,
  controlCharacters,
  line,
  organisationHelp,
  organisationId,
} from '../arguments.ts';
import { type Cli, type Context, example } from '../cli.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { alignColumns, orDash, showTime, withOutcome } from '../output/text.ts';

const prefix: ArgumentType<string> = { allowed: prefixRule, parse: (text) => (isPrefix(text) ? text : undefined) };
/** A document shows the lines below each other. */
const address: ArgumentType<string> = {
  allowed: '1 to 300 characters, with line breaks',
  parse(text) {
    const lines = text.trim().split('\n');
    const isText = lines.every((one) => !controlCharacters.test(one));
    return isText && text.trim() !== '' && characterCount(text) <= 300 ? lines.join('\n') : undefined;
  },
};
const years: ArgumentType<number> = {
  allowed: 'an integer from 1 to 100',
  parse: (text) => (/^[1-9]\d?$|^100$/.test(text) ? Number(text) : undefined),
};
/** The first millisecond of a day in UTC. */
const day: ArgumentType<number> = {
  allowed: 'a day in UTC, such as 2026-11-18',
  parse(text) {
    const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
    return ms >= 0 && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
  },
};

/** What a command line says of the settings. */
interface GivenSettings {
  readonly sellerName?: string | undefined;
  readonly sellerAddress?: string | undefined;
  readonly sellerTaxId?: string | undefined;
  readonly prefix?: string | undefined;
  readonly creditPrefix?: string | undefined;
  readonly yearly?: 'yes' | 'no' | undefined;
  readonly keepYears?: number | undefined;
}

export function addOrgReceipts(org: CommandUnknownOpts, { run }: Cli): void {
  org
    .command('receipts')
    .description(
      'Switch on receipts and credit notes, show their settings, or change them from now on. Documents that were issued stay as they are.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .option(
      '--seller-name <name>',
      'The registered name of the seller. Receipts are not switched on without it.',
      as(line(200)),
    )
    .option(
      '--seller-address <address>',
      `Its address: ${address.allowed}. Receipts are not switched on without it.`,
      as(address),
    )
    .option('--seller-tax-id <number>', 'Its tax id, such as a VAT number.', as(clearable(line(40))))
    .option(
      '--prefix <text>',
      `What numbers of receipts begin with (default: R-): ${prefixRule}. Another prefix begins a new series.`,
      as(prefix),
    )
    .option('--credit-prefix <text>', 'What numbers of credit notes begin with (default: C-).', as(prefix))
    .addOption(
      new Option(
        '--yearly <yes|no>',
        'Whether numbers contain the year and begin again with it (default: yes).',
      ).choices(['yes', 'no'] as const),
    )
    .option(
      '--keep-years <count>',
      `For how many years documents keep the address of the buyer (default: 10): ${years.allowed}.`,
      as(years),
    )
    .addOption(
      new Option(
        '--again-since <day>',
        `Has the worker follow the journal once more since ${day.allowed}. An entry that has its document is passed over; one without gets the next number.`,
      )
        .argParser(as(day))
        .conflicts(['sellerName', 'sellerAddress', 'sellerTaxId', 'prefix', 'creditPrefix', 'yearly', 'keepYears']),
    )
    .addHelpText(
      'after',
      example(
        'org receipts org_harbourfc --seller-name "Harbour City FC Ltd" --seller-address "1 Quay Street, Melbourne VIC 3000" --seller-tax-id "ABN 51 824 753 556"',
      ),
    )
    .action((orgId, { againSince, ...given }) =>
      run(async (context) => {
        if ((await readOrganisation(context.table, orgId)) === undefined) throw organisationMissing(orgId);
        if (againSince !== undefined) return goOverAgain(context, orgId, againSince);
        const isChange = Object.values(given).some((value) => value !== undefined);
        if (isChange) await changeSettings(context, orgId, given);
        else showBook(context, await readBook(context.table, orgId));
      }),
    );
}

async function changeSettings(context: Context, orgId: string, given: GivenSettings): Promise<void> {
  const { table, clock } = context;
  const saved = await retryRaces('receipts of the organisation', async () => {
    const before = await readBook(table, orgId);
    const last = before?.settings.at(-1);
    const next = nextSettings(last, given, unixSeconds(clock) + 1);
    if (last !== undefined && isDeepStrictEqual({ ...last, sinceUnix: 0 }, { ...next, sinceUnix: 0 })) {
      return { book: before, isChanged: false };
    }
    const problem = settingsProblem(before?.settings ?? [], next);
    if (problem !== undefined) throw refusal('prefix_used', problem);
    const book = await saveReceiptSettings(table, orgId, before, next);
    return book && { book, isChanged: true };
  });
  showBook(context, saved.book, saved.isChanged);
}

/** Entries that were passed over get their documents, whatever the reason was. */
async function goOverAgain(context: Context, orgId: string, sinceMs: number): Promise<void> {
  const { table } = context;
  const { book } = await retryRaces('receipts of the organisation', async () => {
    const before = await readBook(table, orgId);
    if (before === undefined)
      throw refusal('receipts_off', 'Receipts are not switched on, so no entry has a document.');
    const saved = await followAgain(table, orgId, before, sinceMs);
    return saved && { book: saved };
  });
  showBook(context, book, true);
}

/** The settings from the next second on: what is not given stays, or has its default. */
function nextSettings(last: ReceiptSettings | undefined, given: GivenSettings, sinceUnix: number): ReceiptSettings {
  const name = given.sellerName ?? last?.seller.name;
  const address = given.sellerAddress ?? last?.seller.address;
  if (name === undefined || address === undefined) {
    throw refusal('seller_missing', 'A receipt names its seller: give --seller-name and --seller-address.');
  }
  const taxId = given.sellerTaxId === undefined ? (last?.seller.taxId ?? null) : given.sellerTaxId || null;
  return {
    sinceUnix,
    seller: { name, address, taxId },
    prefix: given.prefix ?? last?.prefix ?? 'R-',
    creditPrefix: given.creditPrefix ?? last?.creditPrefix ?? 'C-',
    yearly: given.yearly === undefined ? (last?.yearly ?? true) : given.yearly === 'yes',
    keepYears: given.keepYears ?? last?.keepYears ?? 10,
  };
}

function showBook(context: Context, book: ReceiptBook | undefined, changed?: boolean): void {
  const last = book?.settings.at(-1);
  if (book === undefined || last === undefined) {
    context.show({ receipts: null }, 'Receipts are not switched on.');
    return;
  }
  const settings = {
    seller: { name: last.seller.name, address: last.seller.address, tax_id: last.seller.taxId },
    prefix: last.prefix,
    credit_prefix: last.creditPrefix,
    yearly: last.yearly,
    keep_years: last.keepYears,
  };
  const since = { switched_on: book.settings[0].sinceUnix, changed_at: last.sinceUnix };
  const sheet = alignColumns([
    ['seller', settings.seller.name],
    ['address', settings.seller.address],
    ['tax id', orDash(settings.seller.tax_id)],
    ['prefix', settings.prefix],
    ['credit prefix', settings.credit_prefix],
    ['yearly', settings.yearly ? 'yes' : 'no'],
    ['keep years', String(settings.keep_years)],
    ['switched on', showTime(since.switched_on)],
    ['these settings since', showTime(since.changed_at)],
    ...Object.entries(book.counts).map(([series, count]) => [`last number of ${series}`, String(count)]),
  ]);
  const document = { receipts: { ...settings, ...since, last_numbers: book.counts } };
  if (changed === undefined) context.show(document, sheet);
  else context.show({ ...document, changed }, withOutcome(sheet, changed));
}
