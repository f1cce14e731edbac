import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { type AwsJsonClient, createAwsJsonClient } from '../../local/cloud/http/aws-json-client.ts';
import { isThorough, longTest } from '../support/thorough.ts';

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

function isListening(endpoint: string): Promise<boolean> {
  return accepts('127.0.0.1', Number(new URL(endpoint).port));
}

function clientOf(endpoint: string): AwsJsonClient {
  return createAwsJsonClient({ endpoint, service: 'dynamodb', region: 'eu-west-1', targetPrefix: 'DynamoDB_20120810' });
}

const TableName = 'kept';
const tableOfIds = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
};

/** Puts numbered items until the table is gone, and returns how many were acknowledged. */
async function putUntilKilled(
  client: AwsJsonClient,
  endpointState: number,
  onAnswer: (count: number) => void,
): Promise<number> {
  for (let count = 0; ; count += 1) {
    const Item = { id: { S: `${endpointState}/${count}` }, text: { S: 'x'.repeat(500) } };
    const response = await client.call('PutItem', { TableName, Item }).catch(() => undefined);
    if (response === undefined) return count;
    onAnswer(count + 1);
  }
}

describe('DynamoDB Local', () => {
  test('DynamoDB Local listens on loopback only, and is gone after stop, which may be called twice', async () => {
    const dynamodb = await startDynamoDbLocal({ data: 'memory' });
    expect(await isListening(dynamodb.endpoint)).toBe(true);
    const elsewhere = machineAddresses().map((address) => accepts(address, Number(new URL(dynamodb.endpoint).port)));
    expect(await Promise.all(elsewhere)).not.toContain(true);
    await Promise.all([dynamodb.stop(), dynamodb.stop()]);
    expect(await isListening(dynamodb.endpoint)).toBe(false);
  });

  longTest(
    'DynamoDB Local keeps every acknowledged write in a valid file after it was killed while writing',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gateline-dynamodb-'));
      const first = await startDynamoDbLocal({ data: { folder } });
      const writer = clientOf(first.endpoint);
      await writer.call('CreateTable', tableOfIds);
      const counts = [0, 0, 0];
      const writing = counts.map((_, endpointState) =>
        putUntilKilled(writer, endpointState, (count) => {
          counts[endpointState] = count;
        }),
      );
      while (counts.some((count) => count < 20)) await sleep(10);
      // Stopping is a SIGKILL.
      await first.stop();
      const answered = await Promise.all(writing);
      writer.close();
      const second = await startDynamoDbLocal({ data: { folder } });
      const reader = clientOf(second.endpoint);
      for (const [endpointState, count] of answered.entries()) {
        expect(count).toBeGreaterThan(0);
        for (let index = 0; index < count; index += 1) {
          const response = await reader.call('GetItem', { TableName, Key: { id: { S: `${endpointState}/${index}` } } });
          expect(response).toHaveProperty('Item');
        }
      }
      reader.close();
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  );

  test.concurrent.each(isThorough ? (['SIGKILL', 'SIGINT'] as const) : (['SIGKILL'] as const))(
    'DynamoDB Local ends with its parent on %s',
    async (signal) => {
      const file = fileURLToPath(new URL('./fixture/parent-process.ts', import.meta.url));
      const parent = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
      const endpoint = String(line).trim();
      expect(await isListening(endpoint)).toBe(true);
      parent.kill(signal);
      await once(parent, 'exit');
      // The test's own time limit ends the wait.
      while (await isListening(endpoint)) await sleep(50);
    },
  );
});
