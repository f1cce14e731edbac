import { readGates, removeGate, saveGate } from '../../shared/data/gates/gates.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type Admitted, type GateRecord, gateLimits } from '../../shared/domain/gates/gate.ts';
import { type ArgumentType, as, line, numericId, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing } from '../failure.ts';
import { alignColumns, showList, withOutcome } from '../output/text.ts';
import { addGateTokenCommands } from './gate-token.ts';

export function addGateCommands(program: Program, cli: Cli): void {
  const { run } = cli;
  const group = program.command('gate').description('Register gates, and issue tokens for their devices.');

  group
    .command('add')
    .description('Register a gate, or replace it. Tickets and members that it does not admit get wrong_gate.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<gate_id>', gateHelp, as(numericId))
    .requiredOption('--name <text>', 'The name that scans show if the device sends none.', as(line(gateLimits.name)))
    .option('--price-categories <codes>', `Whose tickets it admits: ${admitted.allowed} (default: all).`, as(admitted))
    .option(
      '--membership-categories <codes>',
      `Which members it admits: ${admitted.allowed} (default: all).`,
      as(admitted),
    )
    .addHelpText(
      'after',
      example('gate add org_harbourfc 4 --name "East 4" --price-categories east,family --membership-categories none'),
    )
    .action((orgId, gateId, { name, priceCategories = 'all', membershipCategories = 'all' }) =>
      run(async ({ table, show }) => {
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        const gate = { gateId, name, priceCategories, membershipCategories };
        const changed = (await saveGate(table, orgId, gate)) === 'changed';
        show({ org_id: orgId, ...gateDocument(gate), changed }, withOutcome(gateTable([gate]), changed));
      }),
    );

  group
    .command('list')
    .description('List the registered gates of an organisation.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('gate list org_harbourfc'))
    .action((orgId) =>
      run(async ({ table, show }) => {
        const gates = await readGates(table, orgId);
        show({ object: 'gates', org_id: orgId, data: gates.map(gateDocument) }, gateTable(gates));
      }),
    );

  withYes(group.command('remove'))
    .description(
      'Remove a gate. From the next scan it admits every valid ticket and member. Repeated, it changes nothing.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<gate_id>', gateHelp, as(numericId))
    .addHelpText('after', example('gate remove org_harbourfc 4 --yes'))
    .action((orgId, gateId, { yes }) =>
      run(async ({ table, show }) => {
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        confirm(yes, `Gate ${gateId} of ${orgId} would admit every valid ticket and member.`);
        const changed = (await removeGate(table, orgId, gateId)) === 'removed';
        const text = changed
          ? `Removed gate ${gateId} of ${orgId}.`
          : `${orgId} has no registered gate ${gateId}. Nothing changed.`;
        show({ org_id: orgId, gate_id: gateId, removed: true, changed }, text);
      }),
    );

  addGateTokenCommands(group, cli);
}

const gateHelp = 'The number of the gate, as its device sends it.';

const admitted: ArgumentType<Admitted> = {
  allowed: `all, none, or at most ${gateLimits.codes} codes, separated by commas`,
  parse(text) {
    if (text === 'all') return text;
    if (text === 'none') return [];
    const codes = parseList(text, (code) => code || undefined);
    return codes && codes.length <= gateLimits.codes ? codes : undefined;
  },
};

function gateDocument({ gateId, name, priceCategories, membershipCategories }: GateRecord) {
  return { gate_id: gateId, name, price_categories: priceCategories, membership_categories: membershipCategories };
}

function gateTable(gates: readonly GateRecord[]): string {
  if (gates.length === 0) return 'No gates are registered. Every gate admits every valid ticket and member.';
  const rows = gates.map((gate) => [
    String(gate.gateId),
    gate.name,
    showList(gate.priceCategories),
    showList(gate.membershipCategories),
  ]);
  return alignColumns([['GATE', 'NAME', 'PRICE CATEGORIES', 'MEMBERSHIP CATEGORIES'], ...rows]);
}
