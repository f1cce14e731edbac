import { DeployedApi } from './deployed-api.ts';
import type { Emulator } from './emulator.ts';
import type { Operator } from './operator.ts';
import { createOrganisation } from './organisation.ts';

const copies = { from: 'ap-southeast-2', to: 'ap-southeast-4' };
const tableName = 'gateline-prod-2';

/**
 * "The region is lost" of docs/runbook.md, as far as the emulator allows: prod in the region of its copies, with the rows of the lost table
 * and the secrets from their replicas. Returns what was wrong.
 */
export async function rehearseLostRegion(
  home: Operator,
  emulator: Emulator,
  { folder, step }: { readonly folder: string; readonly step: (text: string) => void },
): Promise<string[]> {
  const key = await createOrganisation((name, args) => home.admin(`prod-${name}`, 'prod', args), folder);
  const away = home.inRegion(copies.to);
  await away.bootstrap('bootstrap-copies');
  await away.deployWithCdk('deploy-copies', 'prod');
  step(`Deployed prod to ${copies.to}, the region of its copies.`);
  await away.program('copy-region', 'tools/emulator/copy-region-program.ts', [copies.from, tableName]);
  step('Copied its rows, and its secrets from their replicas.');
  await away.restore('prod', tableName);
  step('Prepared, verified and switched to the restored table.');
  const outputs = await away.deployWithCdk('deploy-restored', 'prod');
  const api = new DeployedApi(outputs.ApiAddress ?? '', emulator);
  const { status, body } = await api.call('/v1/members?limit=1', key);
  step('Deployed it again, with the restored table.');
  return status === 200 ? [] : [`The stage in ${copies.to} answers ${status}: ${JSON.stringify(body)}`];
}
