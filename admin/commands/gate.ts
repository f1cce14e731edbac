import { readGates, removeGate, saveGate } from '../../shared/data/gates/gates.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type GateRecord, gateLimits } from '../../shared/domain/gates/gate.ts';
import type { Command, Context } from '../command.ts';
import { alignColumns } from '../documents/text.ts';
import { refusal } from '../failure.ts';
import { admitted, gateId, organisationArgument, showList } from '../values/gate.ts';
import { line, organisationId } from '../values/values.ts';

function gateDocument({ gateId: id, name, priceCategories, membershipCategories }: GateRecord) {
  return { gate_id: id, name, price_categories: priceCategories, membership_categories: membershipCategories };
}

function gateTable(gates: readonly GateRecord[]): string {
  if (gates.length === 0) return 'No gates are registered: each admits everybody.';
  const rows = gates.map((gate) => [
    String(gate.gateId),
    gate.name,
    showList(gate.priceCategories),
    showList(gate.membershipCategories),
  ]);
  return alignColumns([['GATE', 'NAME', 'PRICE CATEGORIES', 'MEMBERSHIP CATEGORIES'], ...rows]);
}

async function add(orgId: string, gate: GateRecord, { table, out }: Context): Promise<void> {
  if ((await readOrganisation(table, orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${orgId}.`);
  }
  await saveGate(table, orgId, gate);
  out.show({ org_id: orgId, ...gateDocument(gate) }, gateTable([gate]));
}

const gateArgument = { name: 'gate_id', help: 'The gate, by the number that its device sends.' };

const addCommand: Command = {
  name: 'add',
  summary: 'Register a gate, or replace what is registered: whom it is for. Others are wrong_gate there.',
  positionals: [organisationArgument, gateArgument],
  options: [
    { name: 'name', value: 'TEXT', required: true, help: 'What scans show, where the device sends no name.' },
    { name: 'price-categories', value: 'CODES', help: `Whose tickets it admits: ${admitted.allowed} (default all).` },
    { name: 'membership-categories', value: 'CODES', help: `Which members: ${admitted.allowed} (default all).` },
  ],
  example: 'gate add org_harbourfc 4 --name "East 4" --price-categories east,family --membership-categories none',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const gate = {
      gateId: args.required('gate_id', gateId),
      name: args.required('name', line(gateLimits.name)),
      priceCategories: args.optional('price-categories', admitted) ?? ('all' as const),
      membershipCategories: args.optional('membership-categories', admitted) ?? ('all' as const),
    };
    return (context) => add(orgId, gate, context);
  },
};

const listCommand: Command = {
  name: 'list',
  summary: 'List the registered gates of an organisation.',
  positionals: [organisationArgument],
  options: [],
  example: 'gate list org_harbourfc',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    return async ({ table, out }) => {
      const gates = await readGates(table, orgId);
      out.show({ object: 'gates', org_id: orgId, data: gates.map(gateDocument) }, gateTable(gates));
    };
  },
};

const removeCommand: Command = {
  name: 'remove',
  summary: 'Forget a gate. It admits everybody again, from the next scan on.',
  positionals: [organisationArgument, gateArgument],
  options: [],
  example: 'gate remove org_harbourfc 4',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const id = args.required('gate_id', gateId);
    return async ({ table, out }) => {
      if ((await removeGate(table, orgId, id)) === 'missing') {
        throw refusal('gate_missing', `${orgId} has no registered gate ${id}.`);
      }
      out.show({ org_id: orgId, gate_id: id, removed: true }, `Removed gate ${id} of ${orgId}.`);
    };
  },
};

export const gateCommands: readonly Command[] = [addCommand, listCommand, removeCommand];
