import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startSqsServer } from '../../local/cloud/sqs/sqs-server.ts';

function startAndEnd(end: string) {
  const file = fileURLToPath(new URL('./fixture/end.ts', import.meta.url));
  const command = ['--max-old-space-size=64', '--import', 'tsx', file, end];
  return spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
}

const killed = /(^|\n)Gateline \(process \d+\) was killed, or Node has crashed, .*\n$/;
const ends: [string, RegExp][] = [
  ['killed', killed],
  ['by a signal that nobody expects', killed],
  ['without memory', killed],
  ['by a crash', killed],
  ['without work', /^Gateline has ended with exit status 0, and no part of it has said why\.\n$/],
  ['by a package', /^Gateline has ended with exit status 3, and no part of it has said why\.\n$/],
  ['by an error', /^Error: a programming error\n/],
  ['by a rejected promise', /^Error: a forgotten promise\n/],
  ['by an error that a package hears', /^Error: a swallowed error\n/],
  ['explained', /^DynamoDB Local has ended: no output\n$/],
];

describe('the end of a local run', () => {
  it.each(ends)('a local run says why it ends: %s', async (end, says) => {
    const child = startAndEnd(end);
    child.stdout.resume();
    // By the time that all processes have ended.
    const words = await text(child.stderr);
    expect(words).toMatch(says);
    expect(words.match(/^Gateline/gm) ?? []).toHaveLength(/Gateline/.test(says.source) ? 1 : 0);
  });

  it('a local run says why it ends also to a reader that is behind', async () => {
    const child = startAndEnd('on request');
    await once(child.stderr, 'data');
    expect(await text(child.stdout)).toMatch(/Stopping: SIGTERM was received\.\n$/);
  });

  it('a local run goes on when nobody reads its output any more, and says why it ends', async () => {
    const child = startAndEnd('explained');
    child.stdout.destroy();
    expect(await text(child.stderr)).toBe('DynamoDB Local has ended: no output\n');
  });
});

it('the local cloud reports that the thread of SQS has ended, but not that it was stopped', async () => {
  const threads: { terminate(): Promise<number> }[] = [];
  const remember = (thread: { terminate(): Promise<number> }) => threads.push(thread);
  process.on('worker', remember);
  try {
    const lost: string[] = [];
    const server = { region: 'eu-west-1', clockOffset: new SharedArrayBuffer(8), queues: [] };
    await startSqsServer({ ...server, onLost: (reason) => lost.push(reason) });
    // The first thread may be the compiler's.
    await threads.at(-1)?.terminate();
    await expect.poll(() => lost).toEqual(['its thread has stopped']);
    const stopped = await startSqsServer({ ...server, onLost: (reason) => lost.push(reason) });
    await stopped.stop();
    expect(lost).toHaveLength(1);
  } finally {
    process.off('worker', remember);
  }
});
