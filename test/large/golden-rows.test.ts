import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rewriteEveryKind, writeEveryKind } from '../support/rows/every-kind.ts';
import { everyRow } from '../support/rows/every-row.ts';
import { goldenOrganisations, writeGolden } from '../support/rows/golden.ts';
import { readEveryKind } from '../support/rows/read-every-kind.ts';
import { createTestTable } from '../support/table.ts';

/** `npm run golden` sets it. */
const isWriting = process.env.GATELINE_GOLDEN !== undefined;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

it('golden rows of the current version: rows of every key kind, as they are written first and after changes', async () => {
  const { table } = await createTestTable();
  const [written, changed] = goldenOrganisations;
  await writeEveryKind(table, written);
  await rewriteEveryKind(await writeEveryKind(table, changed));
  for (const orgId of goldenOrganisations) expect(await readEveryKind(table, orgId)).toMatchObject({ findings: 0 });
  if (isWriting) await writeGolden(version, (await everyRow(table)).values());
});
