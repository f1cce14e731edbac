import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
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

/** The addresses at which other machines could reach this one. */
function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

function accepts(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

describe('DynamoDB Local', () => {
  test('listens on loopback only, and is gone after stop, which may be called twice', async () => {
    const dynamodb = await startDynamoDbLocal({ data: 'memory' });
    expect(javaProcesses(dynamodb.endpoint)).not.toEqual([]);
    const elsewhere = machineAddresses().map((address) => accepts(address, Number(new URL(dynamodb.endpoint).port)));
    expect(await Promise.all(elsewhere)).not.toContain(true);
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
