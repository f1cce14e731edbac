import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { checkFormerSecret } from '../../tools/rehearsal/check-former-secret.ts';
import { lostGrants } from '../../tools/rehearsal/check-retired-grants.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { withSmallStacks } from '../support/synthesize-small.ts';
import { readStack, readStacks, type Synthesized } from '../support/template.ts';
import { longSuite } from '../support/thorough.ts';

/** The ids of the functions whose role may read a secret, by the construct of the secret. */
function readersOf(stack: Synthesized, construct: string): string[] {
  const secret = stack
    .ofType('AWS::SecretsManager::Secret')
    .find(({ logicalId }) => new RegExp(`^${construct}[0-9A-F]{8}$`).test(logicalId));
  const roles = stack
    .ofType('AWS::IAM::Role')
    .filter(({ Properties }) => secret !== undefined && referencesIn(Properties.Policies).includes(secret.logicalId))
    .map(({ logicalId }) => logicalId);
  return stack
    .ofType('AWS::Lambda::Function')
    .filter(({ Properties }) => referencesIn(Properties.Role).some((role) => roles.includes(role)))
    .map(({ Properties }) => String(Properties.Description).split(':')[0] ?? '')
    .toSorted();
}

describe.each(['dev', 'prod'] as const)('the secrets of keys on %s', (stage) => {
  const stack = readStack(stage);

  it('the functions that create, rotate and use webhook secrets read the secret of webhooks, and no others', () => {
    expect(readersOf(stack, 'WebhookSecret')).toEqual([
      'create-webhook-endpoint',
      'deliver-webhook',
      'drain-webhook-backlog',
      'retry-webhook',
      'rotate-webhook-secret',
    ]);
  });

  it('only lists read the secret of cursors, and that of links only where a list shows the links of orders', () => {
    const lists = readersOf(stack, 'CursorSecret');
    expect(lists).toContain('list-members');
    expect(lists.filter((id) => !id.startsWith('list-'))).toEqual([]);
    const links = readersOf(stack, 'LinkSecret');
    expect(links).toContain('retrieve-ticket');
    expect(links.filter((id) => lists.includes(id))).toEqual(['list-orders']);
  });

  it('no function of a new stage reads the former secret', () => {
    expect(readersOf(stack, 'Secret')).toEqual([]);
  });
});

longSuite('a stage that had one secret for all purposes', () => {
  const some = operations.filter(({ id }) => ['list-members', 'retrieve-ticket', 'rotate-webhook-secret'].includes(id));
  const synthesized = (formerSecret: 'none' | 'read' | 'moved') =>
    withSmallStacks({ config: { ...stageConfig('dev'), formerSecret }, operations: some }, readStacks);
  const [fresh, both, moved] = [synthesized('none'), synthesized('read'), synthesized('moved')];
  const templatesOf = ({ stacks }: Synthesized): unknown[] => stacks.map(({ template }) => template);
  /** As the release before was deployed: one secret under its old names, and no other. */
  const before = JSON.parse(
    JSON.stringify(templatesOf(both))
      .replaceAll('"FORMER_SECRET"', '"SECRET_ARN"')
      .replaceAll('"gateline:retired-grants"', '"of no meaning"')
      .replaceAll('"PolicyName":"Keys"', '"PolicyName":"Secret"'),
  );
  const checked = (formerSecret: 'none' | 'read' | 'moved', deployed: unknown[]) =>
    checkFormerSecret({ stage: 'dev', formerSecret }, deployed);

  it('reads both first, and the release before can return', () => {
    for (const { id } of some) expect(readersOf(both, 'Secret')).toContain(id);
    expect(lostGrants(before, templatesOf(both))).toEqual([]);
  });

  it('reads its own secrets alone when the keys are moved, and the release that read both can return', () => {
    expect(readersOf(moved, 'Secret')).toEqual([]);
    expect(lostGrants(templatesOf(both), templatesOf(moved))).toEqual([]);
  });

  it('cannot be deployed with a step left out', () => {
    expect(checked('none', before)).toEqual([expect.stringContaining("set formerSecret to 'read'")]);
    expect(checked('moved', before)).toEqual([expect.stringContaining("set formerSecret to 'read'")]);
    expect(checked('read', before)).toEqual([]);
    expect(checked('none', templatesOf(both))).toEqual([expect.stringContaining('secrets separate --stage dev')]);
    expect(checked('moved', templatesOf(both))).toEqual([]);
    expect(checked('none', templatesOf(fresh))).toEqual([]);
  });
});
