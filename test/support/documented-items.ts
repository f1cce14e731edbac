import { readFileSync } from 'node:fs';

interface DocumentedWrite {
  readonly name: string;
  readonly terms: readonly number[];
  readonly sum: number;
}

/** The table of docs/costs.md: how many items the largest transaction of each kind has. */
export function documentedItems(): readonly DocumentedWrite[] {
  const [, section = ''] = readFileSync('docs/costs.md', 'utf8').split('## Items of a transaction');
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| ([^|]+) \|[^|]*\| ([0-9 +]+) = (\d+) \|$/gmu)].map(
    ([, name = '', terms = '', sum]) => ({
      name,
      terms: terms.split('+').map(Number),
      sum: Number(sum),
    }),
  );
}

export function documentedSum(name: string): number | undefined {
  return documentedItems().find((write) => write.name === name)?.sum;
}
