import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startCloud } from '../../local/cloud/cloud.ts';
import { smallFunction, writeSmallAssembly } from '../local/fixture/small-assembly.ts';
import { inMemory } from '../support/table.ts';

it('the local cloud keeps the instances that were used last, however many functions are invoked', async () => {
  const threads = new Set<Worker>();
  const remember = (thread: Worker) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  };
  const names = Array.from({ length: 40 }, (_, index) => `Function${index}`);
  const resources = Object.assign({}, ...names.map((name) => smallFunction(name)));
  const { assemblyDir } = writeSmallAssembly(
    resources,
    {},
    'let calls = 0; exports.handler = async () => (calls += 1);',
  );
  const cloud = await startCloud({ assemblyDir, port: 0, ...inMemory() });
  process.on('worker', remember);
  try {
    for (const name of names) expect(await cloud.invoke(name, {})).toBe(1);
    // What was invoked last still runs, and what was invoked first was replaced.
    expect(await cloud.invoke('Function39', {})).toBe(2);
    expect(await cloud.invoke('Function0', {})).toBe(1);
    await expect.poll(() => threads.size).toBe(28);
  } finally {
    process.off('worker', remember);
    await cloud.stop();
  }
});
