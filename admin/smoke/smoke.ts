import { parseArgs } from 'node:util';
import { stages } from '../connection.ts';
import { failureOf, usageError } from '../failure.ts';
import { printable } from '../output/text.ts';
import { type Check, failed, type Outcome } from './check.ts';
import { apiChecks } from './checks/api.ts';
import { backupChecks } from './checks/backups.ts';
import { firewallCheck } from './checks/firewall.ts';
import { invokeRoleCheck } from './checks/invoke-role.ts';
import { monitoringChecks } from './checks/monitoring.ts';
import { recoveryChecks } from './checks/recovery.ts';
import { refusalCheck } from './checks/refusal.ts';
import { releaseChecks } from './checks/releases.ts';
import { tableChecks } from './checks/table.ts';
import {
  createOwnOrganisation,
  newOrganisationId,
  type OwnOrganisation,
  removeOwnOrganisation,
} from './own-organisation.ts';
import { openTarget, type SmokeStage, type SmokeTarget, type Surroundings } from './target.ts';

const smokeStages: readonly SmokeStage[] = ['local', ...stages];

const usage = `npm run smoke -- --stage ${smokeStages.join('|')} [--only <ids>] [--changes] [--json] [--address <url>] [--host <name>]

Proves on a running stage what tests cannot prove, after a deployment. It reads, and writes only to an organisation of its own,
which it removes, a test alarm and a temporary queue. On dev, one function is refused for a moment. Exit status 1 if a check failed.
--only     only these checks, separated by commas: the second column of the report
--changes  also move the aliases of health and create-member to the previous release and back, and create a temporary API
--json     print one JSON document
--address  another address of the API, for example that of an emulator; --host names the host to send`;

interface Output extends Surroundings {
  print(line: string): void;
  printError(line: string): void;
}

type Result = Pick<Check, 'id' | 'assumption'> & Outcome;

/** Runs all checks and prints one line for each. Returns the exit code. */
export async function smoke(argv: readonly string[], output: Output): Promise<number> {
  const { print, printError } = output;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      stage: { type: 'string' },
      address: { type: 'string' },
      host: { type: 'string' },
      only: { type: 'string' },
      changes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const stage = smokeStages.find((name) => name === values.stage);
  if (values.help || stage === undefined) {
    printError(`${values.help ? '' : 'Set --stage. '}${usage}`);
    return values.help ? 0 : 2;
  }
  try {
    const { address, host, changes: mayChange } = values;
    const target = await openTarget({ stage, address, host, mayChange }, output);
    const results = await runAll(
      target,
      { only: values.only?.split(','), interruption: output.interruption },
      values.json ? () => undefined : (result) => print(lineOf(result)),
    );
    const count = (status: Outcome['status']) => results.filter((result) => result.status === status).length;
    const counts = { proved: count('proved'), not_provable: count('not provable'), failed: count('failed') };
    if (values.json) print(JSON.stringify({ stage, target: target.kind, ...counts, checks: results }, null, 2));
    else print(`${stage}: ${counts.proved} proved, ${counts.not_provable} not provable here, ${counts.failed} failed.`);
    return counts.failed === 0 ? 0 : 1;
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    printError(printable(message));
    return exitCode;
  }
}

const lineOf = ({ status, id, detail }: Result): string => printable(`${status.padEnd(13)} ${id.padEnd(25)} ${detail}`);

async function runAll(
  target: SmokeTarget,
  { only, interruption }: { only: readonly string[] | undefined; interruption: AbortSignal },
  show: (result: Result) => void,
): Promise<Result[]> {
  const orgId = newOrganisationId();
  try {
    const checks = checksWith(await createOwnOrganisation(target, orgId));
    const unknown = only?.find((id) => checks.every((check) => check.id !== id));
    if (unknown !== undefined) throw usageError(`There is no check ${unknown}.`);
    const results: Result[] = [];
    for (const check of checks.filter(({ id }) => only === undefined || only.includes(id))) {
      if (interruption.aborted) throw new Error('Interrupted. What the checks have changed is undone.');
      const result = { id: check.id, assumption: check.assumption, ...(await outcomeOf(check, target)) };
      results.push(result);
      show(result);
    }
    return results;
  } finally {
    await removeOwnOrganisation(target.table, orgId);
    target.table.client.destroy();
  }
}

/** The flood of the throttling check is last, so it disturbs no other. */
function checksWith(own: OwnOrganisation): readonly Check[] {
  const api = apiChecks(own);
  const isFlood = ({ id }: Check): boolean => id === 'throttling';
  return [
    ...api.filter((check) => !isFlood(check)),
    ...tableChecks(own),
    ...monitoringChecks,
    ...recoveryChecks,
    ...backupChecks,
    firewallCheck,
    invokeRoleCheck,
    refusalCheck(own),
    ...releaseChecks,
    ...api.filter(isFlood),
  ];
}

async function outcomeOf(check: Check, target: SmokeTarget): Promise<Outcome> {
  try {
    return await check.run(target);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return failed(`The check could not be completed: ${reason}.`, 'Correct the cause and run it again.');
  }
}
