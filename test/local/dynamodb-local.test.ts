import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';

/** The Java processes that were told to listen on the port of an endpoint. */
function javaProcesses(endpoint: string): string[] {
  const port = new URL(endpoint).port;
  const processes = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return processes.filter((line) => line.includes('DynamoDBLocal.jar') && line.endsWith(`-port ${port}`));
}

describe('DynamoDB Local', () => {
  test('is gone after stop, which may be called twice', async () => {
    const dynamodb = await startDynamoDbLocal({ data: 'memory' });
    expect(javaProcesses(dynamodb.endpoint)).not.toEqual([]);
    await Promise.all([dynamodb.stop(), dynamodb.stop()]);
    expect(javaProcesses(dynamodb.endpoint)).toEqual([]);
  });

  test.concurrent.each(['SIGKILL', 'SIGINT'] as const)('dies with its parent on %s', async (signal) => {
    const file = fileURLToPath(new URL('./fixture/parent-process.ts', import.meta.url));
    const parent = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const endpoint = String(line).trim();
    expect(javaProcesses(endpoint)).not.toEqual([]);
    parent.kill(signal);
    await once(parent, 'exit');
    // The test's own time limit ends a wait in vain.
    while (javaProcesses(endpoint).length > 0) await sleep(50);
  });
});
