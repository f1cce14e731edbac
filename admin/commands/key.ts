import {
  type IssueRequest,
  issueKey,
  listKeys,
  type RevokeRequest,
  revokeKey,
} from '../../shared/data/admin/api-keys/api-keys.ts';
import { type RotateRequest, rotateKey } from '../../shared/data/admin/api-keys/rotate.ts';
import { makeKey } from '../../shared/http/auth/api-key.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context, Group } from '../command.ts';
import { keyDocument, keySheet, keyTable } from '../documents/key.ts';
import { expiry, overlap } from '../values/time.ts';
import { keyId, keyMode, line, organisationId, scopeList } from '../values/values.ts';
import { keyRefusal } from './key-refusals.ts';

const shownOnce = (text: string): string => `${text}\n\nThe key is shown this once and stored nowhere: keep it now.`;

async function issue(request: Omit<IssueRequest, 'nowMs'>, { table, clock, out }: Context): Promise<void> {
  const result = await issueKey(table, { ...request, nowMs: clock.nowMs() }, makeKey);
  if (result.outcome !== 'issued') throw keyRefusal(result, request.orgId);
  const { key, text } = result;
  const nowUnix = unixSeconds(clock);
  out.show({ ...keyDocument(key, nowUnix), api_key: text }, `${keySheet(key, nowUnix)}\n\n${shownOnce(text)}`);
}

async function list(orgId: string, { table, clock, out }: Context): Promise<void> {
  const result = await listKeys(table, orgId);
  if (result.outcome !== 'listed') throw keyRefusal(result, orgId);
  const nowUnix = unixSeconds(clock);
  const data = result.keys.map((key) => keyDocument(key, nowUnix));
  out.show({ object: 'api_keys', org_id: orgId, data }, keyTable(result.keys, nowUnix));
}

async function rotate(request: Omit<RotateRequest, 'nowMs'>, { table, clock, out }: Context): Promise<void> {
  const result = await rotateKey(table, { ...request, nowMs: clock.nowMs() }, makeKey);
  if (result.outcome !== 'rotated') throw keyRefusal(result, request.orgId, request.keyId);
  const { key, text, replaced } = result;
  const nowUnix = unixSeconds(clock);
  const document = { ...keyDocument(key, nowUnix), api_key: text, replaced: keyDocument(replaced, nowUnix) };
  out.show(document, `${keyTable([replaced, key], nowUnix)}\n\n${shownOnce(text)}`);
}

async function revoke(request: Omit<RevokeRequest, 'nowMs'>, { table, clock, out }: Context): Promise<void> {
  const result = await revokeKey(table, { ...request, nowMs: clock.nowMs() });
  if (result.outcome !== 'revoked' && result.outcome !== 'already_revoked') {
    throw keyRefusal(result, request.orgId, request.keyId);
  }
  const nowUnix = unixSeconds(clock);
  out.show(keyDocument(result.key, nowUnix), keySheet(result.key, nowUnix));
}

const orgIdArgument = { name: 'org_id', help: 'The organisation, such as org_harbourfc.' };
const keyIdArgument = {
  name: 'key_id',
  help: 'The key, as key list names it; in the key itself it follows the organisation.',
};

const issueCommand: Command = {
  name: 'issue',
  summary: 'Issue an API key. An organisation has at most 20 that are neither revoked nor expired.',
  positionals: [orgIdArgument],
  options: [
    { name: 'scopes', value: 'LIST', required: true, help: `What it may do: ${scopeList.allowed}.` },
    { name: 'label', value: 'TEXT', help: 'What it is for, in your words.' },
    { name: 'expires', value: 'WHEN', help: `${expiry(0).allowed} (default never).` },
    { name: 'mode', value: 'live|test', help: 'What the key begins with: gl_live_ or gl_test_ (default live).' },
  ],
  example: 'key issue org_harbourfc --scopes read,members:write --label website --expires 90d',
  prepare(args, clock) {
    const request = {
      orgId: args.required('org_id', organisationId),
      scopes: args.required('scopes', scopeList),
      label: args.optional('label', line(80)) ?? null,
      expiresUnix: args.optional('expires', expiry(clock.nowMs())) ?? null,
      mode: args.optional('mode', keyMode) ?? 'live',
    };
    return (context) => issue(request, context);
  },
};

const listCommand: Command = {
  name: 'list',
  summary: 'List all keys an organisation ever had, oldest first, with their last use (to the minute).',
  positionals: [orgIdArgument],
  options: [],
  example: 'key list org_harbourfc',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    return (context) => list(orgId, context);
  },
};

const rotateCommand: Command = {
  name: 'rotate',
  summary: 'Replace a key by a new one with the same label, mode and scopes; both work during the overlap.',
  positionals: [orgIdArgument, keyIdArgument],
  options: [
    { name: 'overlap', value: 'TIME', help: `How long the old key goes on: ${overlap.allowed} (default 24h).` },
    {
      name: 'expires',
      value: 'WHEN',
      help: `${expiry(0).allowed} (default: it lives as long as the old one was meant to).`,
    },
  ],
  example: 'key rotate org_harbourfc 1 --overlap 24h',
  prepare(args, clock) {
    const overlapSeconds = args.optional('overlap', overlap);
    const expiresUnix = args.optional('expires', expiry(clock.nowMs()));
    const request = {
      orgId: args.required('org_id', organisationId),
      keyId: args.required('key_id', keyId),
      ...(overlapSeconds === undefined ? {} : { overlapSeconds }),
      ...(expiresUnix === undefined ? {} : { expiresUnix }),
    };
    return (context) => rotate(request, context);
  },
};

const revokeCommand: Command = {
  name: 'revoke',
  summary: 'Revoke a key. Its next request is refused. To repeat it does no harm.',
  positionals: [orgIdArgument, keyIdArgument],
  options: [],
  example: 'key revoke org_harbourfc 1',
  prepare(args) {
    const request = { orgId: args.required('org_id', organisationId), keyId: args.required('key_id', keyId) };
    return (context) => revoke(request, context);
  },
};

export const keyGroup: Group = {
  name: 'key',
  summary: 'API keys: issue, list, rotate and revoke them.',
  commands: [issueCommand, listCommand, rotateCommand, revokeCommand],
};
