import { issueKey, listKeys, revokeKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import type { KeyMissing, LimitReached, OrganisationMissing } from '../../shared/data/admin/api-keys/change.ts';
import { type NotRotatable, rotateKey } from '../../shared/data/admin/api-keys/rotate.ts';
import { keyModes, liveKeyLimit } from '../../shared/domain/auth/api-keys.ts';
import { isScope, type Scope, scopes } from '../../shared/domain/auth/scopes.ts';
import { keyMaker } from '../../shared/http/auth/sign-token.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, line, oneOf, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { keyDocument, keySheet, keyTable } from '../output/key.ts';
import { withOutcome } from '../output/text.ts';
import { endOfOverlap, expiresUnixOf, expiry, expiryHelp, overlap } from '../time-arguments.ts';

export function addKeyCommands(program: Program, { run }: Cli): void {
  const key = program.command('key').description('Issue, list, rotate and revoke API keys.');

  key
    .command('issue')
    .description(`Issue an API key. An organisation can have at most ${liveKeyLimit} keys that work.`)
    .argument('<org_id>', organisationHelp, as(organisationId))
    .requiredOption('--scopes <list>', `What the key may do: ${scopeList.allowed}.`, as(scopeList))
    .option('--label <text>', 'A description for operators, such as website.', as(line(80)))
    .option('--expires <when>', `When it expires: ${expiryHelp} (default: never).`, as(expiry))
    .option(
      '--mode <mode>',
      'live or test: the key starts with gl_live_ or gl_test_ (default: live).',
      as(oneOf(keyModes)),
    )
    .addHelpText('after', example('key issue org_harbourfc --scopes read,members:write --label website --expires 90d'))
    .action((orgId, { scopes: granted, label = null, expires = 'never', mode = 'live' }) =>
      run(async ({ table, signer, clock, show }) => {
        const nowUnix = unixSeconds(clock);
        const request = { orgId, scopes: granted, label, expiresUnix: expiresUnixOf(expires, nowUnix), mode };
        const issued = await issueKey(table, { ...request, nowMs: clock.nowMs() }, keyMaker(await signer()));
        if (issued.outcome !== 'issued') throw refusalOf(issued, orgId);
        const document = { ...keyDocument(issued.key, nowUnix), api_key: issued.text };
        show(document, `${keySheet(issued.key, nowUnix)}\n\n${withWarning(issued.text)}`);
      }),
    );

  key
    .command('list')
    .description('List all keys an organisation ever had, oldest first, with their last use to the minute.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('key list org_harbourfc'))
    .action((orgId) =>
      run(async ({ table, clock, show }) => {
        const listed = await listKeys(table, orgId);
        if (listed.outcome !== 'listed') throw refusalOf(listed, orgId);
        const nowUnix = unixSeconds(clock);
        const data = listed.keys.map((each) => keyDocument(each, nowUnix));
        show({ object: 'api_keys', org_id: orgId, data }, keyTable(listed.keys, nowUnix));
      }),
    );

  withYes(key.command('rotate'))
    .description('Replace a key by a new one with the same label, mode and scopes. Both work during the overlap.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<key_id>', keyIdHelp, as(keyId))
    .option('--overlap <duration>', `How long the old key still works: ${overlap.allowed} (default: 24h).`, as(overlap))
    .option(
      '--expires <when>',
      `When the new key expires: ${expiryHelp} (default: after the same lifetime as the old key).`,
      as(expiry),
    )
    .addHelpText('after', example('key rotate org_harbourfc 1 --overlap 24h --yes'))
    .action((orgId, id, { overlap: overlapSeconds, expires, yes }) =>
      run(async ({ table, signer, clock, show }) => {
        confirm(yes, `Key ${id} of ${orgId} would be refused ${endOfOverlap(overlapSeconds)}.`);
        const nowUnix = unixSeconds(clock);
        const request = {
          orgId,
          keyId: id,
          ...(overlapSeconds !== undefined && { overlapSeconds }),
          ...(expires !== undefined && { expiresUnix: expiresUnixOf(expires, nowUnix) }),
        };
        const rotated = await rotateKey(table, { ...request, nowMs: clock.nowMs() }, keyMaker(await signer()));
        if (rotated.outcome !== 'rotated') throw refusalOf(rotated, orgId, id);
        const { key: next, text, replaced } = rotated;
        const document = { ...keyDocument(next, nowUnix), api_key: text, replaced: keyDocument(replaced, nowUnix) };
        show(document, `${keyTable([replaced, next], nowUnix)}\n\n${withWarning(text)}`);
      }),
    );

  withYes(key.command('revoke'))
    .description('Revoke a key. Its next request is refused. Revoking it again changes nothing.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<key_id>', keyIdHelp, as(keyId))
    .addHelpText('after', example('key revoke org_harbourfc 1 --yes'))
    .action((orgId, id, { yes }) =>
      run(async ({ table, clock, show }) => {
        confirm(yes, `Key ${id} of ${orgId} would be refused from its next request on, for ever.`);
        const revoked = await revokeKey(table, { orgId, keyId: id, nowMs: clock.nowMs() });
        if (revoked.outcome !== 'revoked' && revoked.outcome !== 'already_revoked') {
          throw refusalOf(revoked, orgId, id);
        }
        const nowUnix = unixSeconds(clock);
        const changed = revoked.outcome === 'revoked';
        show(
          { ...keyDocument(revoked.key, nowUnix), changed },
          withOutcome(keySheet(revoked.key, nowUnix), changed, 'The key was revoked before.'),
        );
      }),
    );
}

const scopeList: ArgumentType<readonly Scope[]> = {
  allowed: `all, or some of ${scopes.join(', ')}, separated by commas`,
  parse(text) {
    if (text === 'all') return scopes;
    const granted = parseList(text, (scope) => (isScope(scope) ? scope : undefined));
    return granted && scopes.filter((scope) => granted.includes(scope));
  },
};

const keyIdHelp = 'The id of the key, as key list shows it. In the key itself it comes after the organisation.';
const keyId: ArgumentType<string> = {
  allowed: 'a key id as key list shows it, such as 1 or 2c',
  parse: (text) => (/^[1-9a-z][0-9a-z]{0,3}$/.test(text) ? text : undefined),
};

const withWarning = (text: string): string => `${text}\n\nSave the key now: it cannot be shown again.`;

/** Says why a key command is refused, and what to do instead. */
function refusalOf(
  reason: OrganisationMissing | KeyMissing | LimitReached | NotRotatable,
  orgId: string,
  id = '',
): Error {
  switch (reason.outcome) {
    case 'organisation_missing':
      return organisationMissing(orgId);
    case 'key_missing':
      return refusal(reason.outcome, `${orgId} has no key ${id}. To list its keys: key list ${orgId}`);
    case 'limit_reached':
      return refusal(
        reason.outcome,
        `${orgId} has ${liveKeyLimit} keys that work, and cannot have more. Revoke one first, or rotate one with --overlap 0.`,
      );
    case 'not_live':
      return refusal(reason.outcome, `Key ${id} of ${orgId} is ${reason.state}. Issue a new key instead.`);
    case 'already_rotated':
      return refusal(
        reason.outcome,
        `Key ${id} of ${orgId} was replaced by key ${reason.rotatedTo}. If key ${reason.rotatedTo} was lost, revoke it and rotate again; otherwise rotate key ${reason.rotatedTo}.`,
      );
  }
}
