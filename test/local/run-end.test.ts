import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startSqsServer } from '../../local/cloud/sqs/sqs-server.ts';

/** What is printed by the time that all processes have ended. */
function lastWordsOf(end: string): Promise<string> {
  const file = fileURLToPath(new URL('./fixture/end.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, end], { stdio: ['ignore', 'inherit', 'pipe'] });
  return text(child.stderr);
}

it.each([
  ['killed', /^Gateline \(process \d+\) was killed, or Node has crashed, .*\n$/],
  ['without work', /^Gateline has ended with exit status 0, and no part of it has said why\.\n$/],
  ['by a package', /^Gateline has ended with exit status 3, and no part of it has said why\.\n$/],
  ['by an error', /a programming error/],
  ['explained', /^DynamoDB Local has ended: no output\n$/],
])('a local run says why it ends: %s', async (end, says) => {
  const words = await lastWordsOf(end);
  expect(words).toMatch(says);
  expect(words.match(/Gateline/g) ?? []).toHaveLength(words.startsWith('Gateline') ? 1 : 0);
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
