import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { issueGateToken, listGateTokens, revokeGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { readEvents } from '../../shared/data/events/read.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { keyState } from '../../shared/domain/auth/api-keys.ts';
import { type GateTokenRecord, gateLimits } from '../../shared/domain/gates/gate.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { gateTokenMaker } from '../../shared/http/auth/sign-token.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, line, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, example } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { alignColumns, orDash, showList, showTime, withOutcome } from '../output/text.ts';
import { expiresUnixOf, expiry, expiryHelp } from '../time-arguments.ts';

export function addGateTokenCommands(gate: CommandUnknownOpts, { run }: Cli): void {
  const group = gate.command('token').description('Issue, list and revoke the tokens of gate devices.');

  group
    .command('issue')
    .description('Issue a token for gate devices. It can only record scans, at most 600 requests a minute.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .option('--gates <ids>', `Only at these gates: ${idList.allowed} (default: all).`, as(idList))
    .option(
      '--events <ids>',
      `Only at these events, by event_id: ${idList.allowed}, or all of the organisation (default: all).`,
      as(eventList),
    )
    .option(
      '--offline',
      'It may also read the tickets of its events, without barcodes and names. Requires --events (all for a season) and --expires, within 400 days.',
    )
    .option('--label <text>', 'A description for operators, such as East stand.', as(line(gateLimits.label)))
    .option('--expires <when>', `When it expires: ${expiryHelp} (default: never).`, as(expiry))
    .addHelpText('after', example('gate token issue org_harbourfc --gates 4,5 --label "East stand" --expires 180d'))
    .action((orgId, { gates = 'all' as const, events: named, offline = false, label = null, expires = 'never' }) =>
      run(async ({ table, signer, clock, show }) => {
        const nowUnix = unixSeconds(clock);
        const expiresUnix = expiresUnixOf(expires, nowUnix);
        // Whoever wants a token of all events to read their tickets says so.
        if (offline && (named === undefined || expiresUnix === null || expiresUnix > nowUnix + longestSeason))
          throw offlineUnbounded();
        const events = named ?? 'all';
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        if (events !== 'all') await requireEvents(table, orgId, events);
        const fields = { gates, events, offline, label, expiresUnix, createdUnix: nowUnix };
        const { token, text } = await issueGateToken(table, orgId, fields, gateTokenMaker(await signer()));
        const warning = 'Put the token into the gate device now: it cannot be shown again.';
        show(
          { ...tokenDocument(orgId, token, nowUnix), gate_token: text },
          `${tokenTable([token], nowUnix)}\n\n${text}\n\n${warning}`,
        );
      }),
    );

  group
    .command('list')
    .description('List all gate tokens an organisation ever had, oldest first, with their last use to the minute.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('gate token list org_harbourfc'))
    .action((orgId) =>
      run(async ({ table, clock, show }) => {
        const nowUnix = unixSeconds(clock);
        const tokens = await listGateTokens(table, orgId);
        const data = tokens.map((token) => tokenDocument(orgId, token, nowUnix));
        show({ object: 'gate_tokens', org_id: orgId, data }, tokenTable(tokens, nowUnix));
      }),
    );

  withYes(group.command('revoke'))
    .description('Revoke a gate token. Its next scan is refused. Revoking it again changes nothing.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<token_id>', 'The id of the token, as gate token list shows it.', as(tokenId))
    .addHelpText('after', example('gate token revoke org_harbourfc 7k2p --yes'))
    .action((orgId, id, { yes }) =>
      run(async ({ table, clock, show }) => {
        confirm(yes, `The gate token ${id} of ${orgId} would be refused from its next scan on, for ever.`);
        const nowUnix = unixSeconds(clock);
        const revoked = await revokeGateToken(table, { orgId, tokenId: id, nowUnix });
        if (revoked === undefined) throw refusal('token_missing', `${orgId} has no gate token ${id}.`);
        const { token, outcome } = revoked;
        const changed = outcome === 'revoked';
        show(
          { ...tokenDocument(orgId, token, nowUnix), changed },
          withOutcome(tokenTable([token], nowUnix), changed, 'The token was revoked before.'),
        );
      }),
    );
}

/** A season, with its preparation. */
const longestSeason = 400 * 86_400;

/** A stolen device must become useless, and must never know more than the events it was for. */
function offlineUnbounded(): Error {
  return refusal(
    'offline_unbounded',
    'A token for offline use needs --events (ids, or all for a season) and --expires within 400 days.',
  );
}

const idList: ArgumentType<readonly number[]> = {
  allowed: `1 to ${gateLimits.bounds} positive integers, separated by commas`,
  parse(text) {
    const ids = parseList(text, parseId);
    return ids && ids.length <= gateLimits.bounds ? ids : undefined;
  },
};

const eventList: ArgumentType<'all' | readonly number[]> = {
  allowed: idList.allowed,
  parse: (text) => (text === 'all' ? 'all' : idList.parse(text)),
};

const tokenId: ArgumentType<string> = {
  allowed: 'a token id as gate token list shows it, such as 7k2p',
  parse: (text) => (/^[0-9a-z]{1,4}$/.test(text) ? text : undefined),
};

async function requireEvents(table: Table, orgId: string, eventIds: readonly number[]): Promise<void> {
  const known = await readEvents(table, orgId, new Set(eventIds));
  const missing = eventIds.filter((eventId) => !known.has(eventId));
  if (missing.length > 0) throw refusal('event_missing', `${orgId} has no event ${missing.join(', ')}.`);
}

function tokenDocument(orgId: string, token: GateTokenRecord, nowUnix: number) {
  return {
    org_id: orgId,
    token_id: token.tokenId,
    label: token.label,
    gates: token.gates,
    events: token.events,
    offline: token.offline,
    state: keyState(token, nowUnix),
    signer: token.signer,
    ending: token.ending,
    created: token.createdUnix,
    expires: token.expiresUnix,
    revoked: token.revokedUnix,
    last_used: token.lastUsedUnix,
  };
}

const columns = [
  'TOKEN',
  'LABEL',
  'GATES',
  'EVENTS',
  'OFFLINE',
  'STATE',
  'ENDS WITH',
  'CREATED',
  'EXPIRES',
  'LAST USED',
];

function tokenTable(tokens: readonly GateTokenRecord[], nowUnix: number): string {
  const rows = tokens.map((token) => [
    token.tokenId,
    orDash(token.label),
    showList(token.gates),
    showList(token.events),
    token.offline ? 'yes' : 'no',
    keyState(token, nowUnix),
    `…${token.ending}`,
    showTime(token.createdUnix),
    token.expiresUnix === null ? 'never' : showTime(token.expiresUnix),
    showTime(token.lastUsedUnix),
  ]);
  return rows.length === 0 ? 'No gate tokens yet.' : alignColumns([columns, ...rows]);
}
