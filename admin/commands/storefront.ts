import {
  issueStorefrontToken,
  listStorefrontTokens,
  revokeStorefrontToken,
  rotateStorefrontToken,
} from '../../shared/data/admin/storefront-tokens.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { defaultOverlapSeconds, keyModes } from '../../shared/domain/auth/api-keys.ts';
import { defaultStorefrontLimits, maxOrigins, parseOrigin } from '../../shared/domain/auth/storefront.ts';
import { storefrontTokenMaker } from '../../shared/http/auth/sign-token.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, line, oneOf, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal, usageError } from '../failure.ts';
import { sheetOf, tokenDocument } from '../output/storefront-token.ts';
import { withOutcome } from '../output/text.ts';
import { endOfOverlap, overlap } from '../time-arguments.ts';
import { addSaleCommands } from './storefront-sale.ts';
import {
  changeToken,
  checkOrigins,
  count,
  testOrigins,
  tokenId,
  tokenIdHelp,
  tokenMissing,
} from './storefront-token.ts';

export function addStorefrontCommands(program: Program, cli: Cli): void {
  const { run } = cli;
  const group = program
    .command('storefront')
    .description('Issue, list, change, rotate and revoke storefront tokens, which web pages use.');

  group
    .command('issue')
    .description('Issue a storefront token. Every visitor of the page can read it.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .requiredOption('--origins <list>', `The pages that may use it: ${originList.allowed}.`, as(originList))
    .option('--mode <mode>', `live or test: ${testOrigins} (default: live).`, as(oneOf(keyModes)))
    .option('--label <text>', help.label, as(line(80)))
    .option('--per-minute <count>', help.perMinute, as(count))
    .option('--per-address <count>', help.perAddress, as(count))
    .option('--max-baskets <count>', help.maxBaskets, as(count))
    .option('--max-held <tickets>', help.maxHeld, as(count))
    .addHelpText(
      'after',
      example('storefront issue org_harbourfc --origins https://shop.harbourfc.example --label shop'),
    )
    .action((orgId, { origins, mode = 'live', label = null, ...limits }) =>
      run(async ({ table, signer, clock, show }) => {
        checkOrigins(origins, mode);
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        const nowUnix = unixSeconds(clock);
        const fields = { orgId, nowUnix, origins, mode, label, ...defaultStorefrontLimits, ...limits };
        const token = await issueStorefrontToken(table, fields, storefrontTokenMaker(await signer()));
        show(tokenDocument(orgId, token, nowUnix), sheetOf([token], nowUnix));
      }),
    );

  group
    .command('list')
    .description('List all storefront tokens an organisation ever had, oldest first.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('storefront list org_harbourfc'))
    .action((orgId) =>
      run(async ({ table, clock, show }) => {
        const nowUnix = unixSeconds(clock);
        const tokens = await listStorefrontTokens(table, orgId);
        const data = tokens.map((token) => tokenDocument(orgId, token, nowUnix));
        show({ object: 'storefront_tokens', org_id: orgId, data }, sheetOf(tokens, nowUnix));
      }),
    );

  const update = group
    .command('update')
    .description('Change the origins, limits or label of a storefront token, from its next request on.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<token_id>', tokenIdHelp, as(tokenId))
    .option('--origins <list>', `All pages that may use it from now on: ${originList.allowed}.`, as(originList))
    .option('--label <text>', help.label, as(line(80)))
    .option('--per-minute <count>', help.perMinute, as(count))
    .option('--per-address <count>', help.perAddress, as(count))
    .option('--max-baskets <count>', help.maxBaskets, as(count))
    .option('--max-held <tickets>', help.maxHeld, as(count))
    .addHelpText(
      'after',
      example(
        'storefront update org_harbourfc 7k2p --origins https://shop.harbourfc.example,https://harbourfc.example',
      ),
    )
    .action((orgId, id, change) => {
      if (Object.keys(change).length === 0) {
        throw usageError(`Name at least one field to change: ${update.options.map(({ long }) => long).join(', ')}.`);
      }
      return run(async ({ show, ...context }) => {
        const { document, text } = await changeToken(context, { orgId, tokenId: id }, change);
        show(document, text);
      });
    });

  addSaleCommands(group, cli);

  withYes(group.command('rotate'))
    .description('Replace a storefront token by one with the same origins and limits. Both work during the overlap.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<token_id>', tokenIdHelp, as(tokenId))
    .option('--overlap <duration>', `How long the old one still works: ${overlap.allowed} (default: 24h).`, as(overlap))
    .addHelpText('after', example('storefront rotate org_harbourfc 7k2p --overlap 24h --yes'))
    .action((orgId, id, { overlap: overlapSeconds = defaultOverlapSeconds, yes }) =>
      run(async ({ table, signer, clock, show }) => {
        confirm(yes, `The storefront token ${id} of ${orgId} would be refused ${endOfOverlap(overlapSeconds)}.`);
        const nowUnix = unixSeconds(clock);
        const rotation = { orgId, tokenId: id, nowUnix, overlapSeconds };
        const rotated = await rotateStorefrontToken(table, rotation, storefrontTokenMaker(await signer()));
        if (rotated.outcome !== 'rotated') {
          throw rotated.outcome === 'missing' ? tokenMissing(orgId, id) : tokenNotLive(id);
        }
        const { token, old } = rotated;
        show(
          { ...tokenDocument(orgId, token, nowUnix), replaced: tokenDocument(orgId, old, nowUnix) },
          sheetOf([old, token], nowUnix),
        );
      }),
    );

  withYes(group.command('revoke'))
    .description('Revoke a storefront token. Its next request is refused. Revoking it again changes nothing.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<token_id>', tokenIdHelp, as(tokenId))
    .addHelpText('after', example('storefront revoke org_harbourfc 7k2p --yes'))
    .action((orgId, id, { yes }) =>
      run(async ({ table, clock, show }) => {
        confirm(yes, `The storefront token ${id} of ${orgId} would be refused from its next request on, for ever.`);
        const nowUnix = unixSeconds(clock);
        const revoked = await revokeStorefrontToken(table, { orgId, tokenId: id, nowUnix });
        if (revoked === undefined) throw tokenMissing(orgId, id);
        const changed = revoked.outcome === 'changed';
        show(
          { ...tokenDocument(orgId, revoked.token, nowUnix), changed },
          withOutcome(sheetOf([revoked.token], nowUnix), changed, 'The token was revoked before.'),
        );
      }),
    );
}

const originList: ArgumentType<readonly string[]> = {
  allowed: `1 to ${maxOrigins} origins such as https://shop.example.com, separated by commas`,
  parse(text) {
    const origins = parseList(text, (origin) => parseOrigin(origin, 'test'));
    return origins && origins.length <= maxOrigins ? origins : undefined;
  },
};

const help = {
  label: 'A description for operators, such as shop.',
  perMinute: `The most requests per minute with the token: ${count.allowed} (default: ${defaultStorefrontLimits.perMinute}).`,
  perAddress: `The most requests per minute from one network address: ${count.allowed} (default: ${defaultStorefrontLimits.perAddress}).`,
  maxBaskets: `The most baskets that one network address opens in 15 minutes: ${count.allowed} (default: ${defaultStorefrontLimits.maxBaskets}).`,
  maxHeld: `The most tickets that one network address holds: ${count.allowed} (default: ${defaultStorefrontLimits.maxHeld}).`,
};

const tokenNotLive = (id: string) =>
  refusal('token_not_live', `The storefront token ${id} has expired or was revoked. Issue a new one.`);
