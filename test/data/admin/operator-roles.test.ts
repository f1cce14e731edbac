import { describe, expect, it } from 'vitest';
import { type OperatorRole, operatorAccess, operatorRoles } from '../../../lib/operator-access.ts';
import { adminTool, documentOf, givenLocalRun } from '../../support/admin.ts';
import { checkOutWith, givenBasket, noonUnix } from '../../support/baskets.ts';
import { givenCommandLines, repeatableCommands } from '../../support/command-lines.ts';
import { Files } from '../../support/import-files.ts';
import { givenShop, openPaymentWorlds } from '../../support/payment-worlds.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
const nowMs = Date.parse('2026-11-18T10:00:00Z');
const worlds = openPaymentWorlds();
const { table } = await createTestTable();
const files = new Files();
const { file: localFile } = givenLocalRun(table);
const everything = adminTool({ localFile, nowMs: () => nowMs });
const commands = await givenCommandLines({
  table,
  orgId,
  nowMs,
  files,
  documentOf: (...words) => documentOf(everything, ...words),
});

/** The first role that may run each command that changes something. What is not listed needs `support`. */
const needs: Readonly<Record<string, string>> = {
  'org receipts': 'finance',
  'org update': 'deploy',
  'key revoke': 'deploy',
  'gate token revoke': 'deploy',
  'storefront update': 'deploy',
  'storefront sale': 'deploy',
  'storefront revoke': 'deploy',
  'sso provider add': 'deploy',
  'sso link': 'deploy',
  'sso unlink': 'deploy',
  'sso provider remove': 'deploy',
  'canary create': 'deploy',
};

/** The roles that a command was refused to, and the one that it was done with. */
async function firstRole(...argv: readonly string[]): Promise<string | undefined> {
  for (const role of operatorRoles) {
    const admin = adminTool({ localFile, nowMs: () => nowMs, access: operatorAccess(role) });
    const { exitCode, stderr } = await admin(...argv, '--local');
    if (exitCode === 0) return role;
    expect(stderr).toContain('has no grant of');
  }
  return undefined;
}

describe('policies of operators', () => {
  it.each(repeatableCommands)('the command %s needs the role that it should', async (command) => {
    const argv = [...command.split(' '), ...commands[command]()];
    expect(await firstRole(...argv)).toBe(needs[command] ?? 'support');
  });

  it.each(['sandbox', 'stripe'] as const)('only finance gives money back (%s)', async (name) => {
    const world = worlds.world(name);
    const org = `org_paid${name}`;
    const { deps, price } = await givenShop(worlds.table(), org, { world, capacity: 10 });
    const { basketId } = await givenBasket(deps, price, 1);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    const { file } = givenLocalRun(worlds.table());
    const refund = (role: OperatorRole) =>
      adminTool({ localFile: file, nowMs: () => (noonUnix + 2) * 1000, access: operatorAccess(role) })(
        ...['order', 'refund', org, String(basketId), '--yes', '--local', '--json'],
      );
    expect(await refund('support')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has no grant of') });
    const succeeded = () => world.succeeded(worlds.table(), org, basketId);
    expect((await succeeded()).map(({ refundedMinor }) => refundedMinor)).toEqual([0]);
    const { stdout } = await refund('finance');
    expect(JSON.parse(stdout)).toMatchObject({ changed: true });
  });

  it.each([
    ['org', 'show', orgId],
    ['member', 'show', orgId, '1', '--number'],
    ['customer', 'export', orgId, 'C-2'],
    ['changes'],
    ['key', 'list', orgId],
  ])('everybody may read: %s %s', async (...argv) => {
    expect(await firstRole(...argv)).toBe('read');
  });
});
