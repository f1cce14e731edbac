import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guideNames } from '../../local/reference/guides.ts';
import { operations } from '../../shared/operations/registry.ts';

const textOf = (name: string): string => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
const [, section = ''] = textOf('sell-your-first-ticket').split('### With a hosted stage');
const [table = ''] = section.split('\n\n').filter((part) => part.startsWith('|'));

it('the guides say what stands for each command of the local run with a hosted stage', () => {
  const commands = guideNames.flatMap((name) =>
    [...textOf(name).matchAll(/npm (?:run (?:--silent )?)?([a-z]+)/g)].map(([, command = '']) => command),
  );
  const missing = new Set(commands.filter((command) => !['run', 'install'].includes(command)));
  for (const [, here = ''] of table.split('\n').map((row) => row.split('|'))) {
    for (const command of missing) if (here.includes(command)) missing.delete(command);
  }
  expect([...missing]).toEqual([]);
});

it('the operations that it names exist', () => {
  const named = [...table.matchAll(/operation ([a-z-]+)/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(0);
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
});
