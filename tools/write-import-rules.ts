/** Writes biome/import-rules.json from the table of layers. test/unit/import-rules.test.ts fails if the file is out of date. */
import { writeFileSync } from 'node:fs';
import { importRulesFile } from './import-rules/biome-overrides.ts';
import { layers } from './import-rules/layers.ts';

const target = new URL('../biome/import-rules.json', import.meta.url);
writeFileSync(target, importRulesFile(layers));
