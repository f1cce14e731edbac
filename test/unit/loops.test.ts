import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** `while (…)`, `for (…; ; …)` and `for (…; …; )`: loops whose head does not count. */
const openLoop = /\bwhile \(|\bfor \([^;]*;\s*;|\bfor \([^;]*;[^;]*;\s*\)/g;
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

const countLoops = (source: string): number => source.replace(comments, '').match(openLoop)?.length ?? 0;

it('the search for loops finds each kind of loop without a counter, and no other', () => {
  const source = `
    while (left.length > 0) {}
    do {} while (start !== undefined);
    for (;;) {}
    for (let attempt = 1; ; attempt += 1) {}
    for (let at = start; at !== undefined; ) {}
    // while (this) is a comment
    for (let index = 0; index < 3; index += 1) {}
    for (const each of all) {}`;
  expect(countLoops(source)).toBe(5);
});

it('docs/loops.md says of every loop without a counter why it ends', () => {
  const files = globSync(
    '{shared,functions,admin,lib,local/run,local/commands,local/demo,tools/{releases,rehearsal,restore}}/**/*.ts',
  );
  const found = files.map((file) => ({ file, loops: countLoops(readFileSync(file, 'utf8')) }));
  const listed = readFileSync('docs/loops.md', 'utf8').matchAll(/`((?!test\/)[^`]+\.ts)`(?: ×(\d))?/g);
  expect(Object.fromEntries([...listed].map(([, file, times]) => [file, Number(times ?? 1)]))).toEqual(
    Object.fromEntries(found.filter(({ loops }) => loops > 0).map(({ file, loops }) => [file, loops])),
  );
});
