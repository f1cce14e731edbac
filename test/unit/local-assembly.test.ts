import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAssembly } from '../../local/run/local-assembly.ts';

let folder: string;
let source: string;
let times: number;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'gateline-assembly-'));
  [folder, source, times] = [join(root, 'local'), join(root, 'lib', 'stack.ts'), 0];
  for (const made of [folder, join(root, 'lib')]) mkdirSync(made);
  writeFileSync(source, 'one');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const assembly = (variant?: string) =>
  localAssembly({
    sources: [join(source, '..')],
    ...(variant !== undefined && { variant }),
    folder,
    async synthesize(draft) {
      times += 1;
      await Promise.resolve();
      writeFileSync(join(draft, 'template.json'), readFileSync(source));
    },
  });
const template = async (): Promise<string> => readFileSync(join(await assembly(), 'template.json'), 'utf8');

describe('assembly of the local run', () => {
  it('the local assembly is synthesized once, and again when a source is changed, added or removed', async () => {
    expect([await template(), await template(), times]).toEqual(['one', 'one', 1]);
    writeFileSync(source, 'two');
    expect([await template(), times]).toEqual(['two', 2]);
    writeFileSync(join(source, '..', 'more.ts'), '');
    expect([await template(), times]).toEqual(['two', 3]);
    writeFileSync(source, 'one');
    rmSync(join(source, '..', 'more.ts'));
    expect([await template(), times]).toEqual(['one', 3]);
  });

  it('the local assembly of a restored table is another one, and both are kept', async () => {
    const made = [
      await assembly(),
      await assembly('gateline-local-2'),
      await assembly(),
      await assembly('gateline-local-2'),
    ];
    expect([new Set(made).size, times]).toEqual([2, 2]);
  });

  it('the local assembly is complete for each of several concurrent starts, and leaves no temporary folder', async () => {
    const made = await Promise.all([assembly(), assembly(), assembly()]);
    expect(new Set(made).size).toBe(1);
    expect(readFileSync(join(made[0] ?? '', 'template.json'), 'utf8')).toBe('one');
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('a local assembly that failed is not kept, and the error is reported', async () => {
    const failing = { sources: [source], folder, synthesize: () => Promise.reject(new Error('no such construct')) };
    await expect(localAssembly(failing)).rejects.toThrow('no such construct');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an old local assembly is removed when a new one is synthesized', async () => {
    const old = await assembly();
    utimesSync(old, 0, 0);
    writeFileSync(source, 'two');
    await assembly();
    expect(existsSync(old)).toBe(false);
  });
});
