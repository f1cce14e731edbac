import type { Command, OptionValues } from '@commander-js/extra-typings';
import { defaultStorefrontLimits, saleLimits } from '../../shared/domain/auth/storefront.ts';
import type { Concurrencies } from '../../shared/domain/lambda-concurrency.ts';
import { as, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, example } from '../cli.ts';
import { usageError } from '../failure.ts';
import { alignColumns } from '../output/text.ts';
import {
  plannedFor,
  raisedOf,
  readSaleFunctions,
  rememberSale,
  reserve,
  type SaleFunctions,
} from '../sale-functions.ts';
import { changeToken, count, tokenId, tokenIdHelp } from './storefront-token.ts';

/** One command before a large sale and one after it: the limits of its token, and what the functions of a sale reserve. */
export function addSaleCommands(group: Command<[], OptionValues, OptionValues>, { run, runOnStage }: Cli): void {
  group
    .command('sale')
    .description(
      'Set the limits of a storefront token for a large sale and raise the reservations of its functions, or set both back. Takes effect within seconds.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<token_id>', tokenIdHelp, as(tokenId))
    .option(
      '--buyers <count>',
      `The buyers who are expected, up to 2,500 or a tenth of them behind one address: ${count.allowed}.`,
      as(count),
    )
    .option('--end', 'The sale is over: the defaults again.')
    .addHelpText('after', example('storefront sale org_harbourfc 7k2p --buyers 50000 --stage prod'))
    .action((orgId, id, { buyers, end }) => {
      if ((buyers === undefined) !== (end === true)) throw usageError('Name either --buyers or --end.');
      const limits = buyers === undefined ? defaultStorefrontLimits : saleLimits(buyers);
      return run(async ({ stage, show, ...context }) => {
        const functions = await planSale(stage, `${orgId}/${id}`, buyers);
        const { document, text } = await changeToken(context, { orgId, tokenId: id }, limits);
        await functions?.carryOut();
        const planned = functions?.planned;
        show(
          { ...document, reservations: planned ?? null },
          `${planned ? sheetOf(planned) : noReservations}\n\n${text}`,
        );
      });
    });

  group
    .command('sales')
    .description('Show the sales that are prepared, and what is reserved for them. A deployment keeps it.')
    .addHelpText('after', example('storefront sales --stage prod'))
    .action(() =>
      runOnStage(async ({ stage, show }) => {
        const found = await readSaleFunctions(stage);
        const raised = found === undefined ? {} : raisedOf(found);
        const data = Object.entries(found?.sales ?? {}).map(([sale, buyers]) => {
          const [org_id, token_id] = sale.split('/');
          return { org_id, token_id, buyers };
        });
        show({ object: 'sales', stage, room: found?.room ?? null, data, raised }, salesSheet(found, raised));
      }),
    );
}

/** What the functions of a sale will reserve; undefined for a stage without reservations. Refuses what does not fit, before anything is changed. */
async function planSale(stage: string | undefined, sale: string, buyers: number | undefined) {
  const found = stage === undefined ? undefined : await readSaleFunctions(stage);
  if (found === undefined) return undefined;
  const { [sale]: _before, ...others } = found.sales;
  const planned = plannedFor(found, buyers === undefined ? others : { ...others, [sale]: buyers });
  return {
    planned,
    async carryOut() {
      await rememberSale(found, sale, buyers);
      await reserve(found, planned);
    },
  };
}

const noReservations = 'No function of this stage has a reservation.';

const sheetOf = (planned: Concurrencies): string =>
  alignColumns([['FUNCTION', 'RESERVED'], ...Object.entries(planned).map(([id, number]) => [id, String(number)])]);

function salesSheet(found: SaleFunctions | undefined, raised: Concurrencies): string {
  if (found === undefined) return noReservations;
  const sales = Object.entries(found.sales).map(([sale, buyers]) => `${sale}: ${buyers} buyers`);
  const list = sales.length === 0 ? 'No sale is prepared.' : sales.join('\n');
  const more = Object.keys(raised).length === 0 ? 'Nothing is raised.' : sheetOf(raised);
  return `${list}\n\n${more}\n\nThe functions of a sale may reserve ${found.room} together.`;
}
