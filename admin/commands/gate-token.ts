import {
  issueGateToken,
  listGateTokens,
  type NewGateToken,
  revokeGateToken,
} from '../../shared/data/admin/gate-tokens.ts';
import { readEvents } from '../../shared/data/events/read.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { keyState } from '../../shared/domain/auth/api-keys.ts';
import { type GateTokenRecord, gateLimits } from '../../shared/domain/gates/gate.ts';
import { makeGateToken } from '../../shared/http/auth/api-key.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context } from '../command.ts';
import { alignColumns, orDash, showTime } from '../documents/text.ts';
import { refusal } from '../failure.ts';
import { idList, organisationArgument, showList, tokenId } from '../values/gate.ts';
import { expiry } from '../values/time.ts';
import { line, organisationId } from '../values/values.ts';

function tokenDocument(orgId: string, token: GateTokenRecord, nowUnix: number) {
  return {
    org_id: orgId,
    token_id: token.tokenId,
    label: token.label,
    gates: token.gates,
    events: token.events,
    state: keyState(token, nowUnix),
    ending: token.ending,
    created: token.createdUnix,
    expires: token.expiresUnix,
    revoked: token.revokedUnix,
    last_used: token.lastUsedUnix,
  };
}

const columns = ['TOKEN', 'LABEL', 'GATES', 'EVENTS', 'STATE', 'ENDS WITH', 'CREATED', 'EXPIRES', 'LAST USED'];

function tokenTable(tokens: readonly GateTokenRecord[], nowUnix: number): string {
  const rows = tokens.map((token) => [
    token.tokenId,
    orDash(token.label),
    showList(token.gates),
    showList(token.events),
    keyState(token, nowUnix),
    `…${token.ending}`,
    showTime(token.createdUnix),
    token.expiresUnix === null ? 'never' : showTime(token.expiresUnix),
    showTime(token.lastUsedUnix),
  ]);
  return rows.length === 0 ? 'No gate tokens yet.' : alignColumns([columns, ...rows]);
}

async function issue(orgId: string, fields: Omit<NewGateToken, 'createdUnix'>, context: Context): Promise<void> {
  const { table, clock, out } = context;
  if ((await readOrganisation(table, orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${orgId}.`);
  }
  if (fields.events !== 'all') {
    const known = await readEvents(table, orgId, new Set(fields.events));
    const missing = fields.events.filter((eventId) => !known.has(eventId));
    if (missing.length > 0) throw refusal('event_missing', `${orgId} has no event ${missing.join(', ')}.`);
  }
  const nowUnix = unixSeconds(clock);
  const { token, text } = await issueGateToken(table, orgId, { ...fields, createdUnix: nowUnix }, makeGateToken);
  const once = 'The token is shown this once and stored nowhere: put it into the gate now.';
  out.show(
    { ...tokenDocument(orgId, token, nowUnix), gate_token: text },
    `${tokenTable([token], nowUnix)}\n\n${text}\n\n${once}`,
  );
}

const issueCommand: Command = {
  name: 'token issue',
  summary: 'Issue a token for gate devices. It may record scans and nothing else, 600 a minute.',
  positionals: [organisationArgument],
  options: [
    { name: 'gates', value: 'IDS', help: `Only at these gates: ${idList.allowed} (default all).` },
    { name: 'events', value: 'IDS', help: `Only at these events, by event_id: ${idList.allowed} (default all).` },
    { name: 'label', value: 'TEXT', help: 'Where it is, in your words.' },
    { name: 'expires', value: 'WHEN', help: `${expiry(0).allowed} (default never).` },
  ],
  example: 'gate token issue org_harbourfc --gates 4,5 --label "East stand" --expires 180d',
  prepare(args, clock) {
    const orgId = args.required('org_id', organisationId);
    const fields = {
      gates: args.optional('gates', idList) ?? ('all' as const),
      events: args.optional('events', idList) ?? ('all' as const),
      label: args.optional('label', line(gateLimits.label)) ?? null,
      expiresUnix: args.optional('expires', expiry(clock.nowMs())) ?? null,
    };
    return (context) => issue(orgId, fields, context);
  },
};

const listCommand: Command = {
  name: 'token list',
  summary: 'List all gate tokens an organisation ever had, oldest first, with their last use (to the minute).',
  positionals: [organisationArgument],
  options: [],
  example: 'gate token list org_harbourfc',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    return async ({ table, clock, out }) => {
      const nowUnix = unixSeconds(clock);
      const tokens = await listGateTokens(table, orgId);
      const data = tokens.map((token) => tokenDocument(orgId, token, nowUnix));
      out.show({ object: 'gate_tokens', org_id: orgId, data }, tokenTable(tokens, nowUnix));
    };
  },
};

const revokeCommand: Command = {
  name: 'token revoke',
  summary: 'Revoke a gate token. Its next scan is refused. To repeat it does no harm.',
  positionals: [organisationArgument, { name: 'token_id', help: 'The token, as gate token list names it.' }],
  options: [],
  example: 'gate token revoke org_harbourfc 7k2p',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const id = args.required('token_id', tokenId);
    return async ({ table, clock, out }) => {
      const nowUnix = unixSeconds(clock);
      const revoked = await revokeGateToken(table, { orgId, tokenId: id, nowUnix });
      if (revoked === undefined) throw refusal('token_missing', `${orgId} has no gate token ${id}.`);
      out.show(tokenDocument(orgId, revoked, nowUnix), tokenTable([revoked], nowUnix));
    };
  },
};

export const tokenCommands: readonly Command[] = [issueCommand, listCommand, revokeCommand];
