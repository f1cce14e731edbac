import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { retiredGrantsFile } from '../lib/retired-grants.ts';
import { stageConfig, stageNames } from '../lib/stage-config.ts';
import { synthesize } from '../lib/synthesize.ts';
import { isTableGrant, lostGrants } from './rehearsal/check-retired-grants.ts';
import { rehearsedStack } from './rehearsal/rehearsed-stack.ts';
import { deployedTemplates } from './releases/deployed-templates.ts';

/**
 * Writes lib/retired-grants.json: the grants on the table that the deployed release uses and this one does not. What the
 * deployed release has retired already is left out, so each grant is kept for one release.
 */
const { values } = parseArgs({ options: { stage: { type: 'string' } } });
const stage = stageNames.find((name) => name === values.stage);
if (stage === undefined) {
  console.error(`npm run retire-grants -- --stage ${stageNames.join('|')}`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'gateline-grants-'));
// Without the grants that are retired now: they count only if the deployed release still uses them.
writeFileSync(retiredGrantsFile, '{}\n');
const { assemblyDir } = synthesize(folder, { config: stageConfig(stage) });
const next = rehearsedStack(assemblyDir).stacks.map(({ template }) => template);
const retired: Record<string, Record<string, string[]>> = {};
for (const { id, grant } of lostGrants(await deployedTemplates(stage), next).filter(isTableGrant)) {
  const [action = '', kind = ''] = grant.split(' on ');
  retired[id] = { ...retired[id], [kind]: [...(retired[id]?.[kind] ?? []), action] };
}
writeFileSync(retiredGrantsFile, `${JSON.stringify(retired, null, 2)}\n`);
rmSync(folder, { recursive: true });
console.log(
  `${Object.keys(retired).length} functions keep grants of the deployed release. Commit lib/retired-grants.json.`,
);
