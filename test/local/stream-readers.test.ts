import { expect, it } from 'vitest';
import { SimulatedTime } from '../../local/cloud/clock/simulated-time.ts';
import { AwsPhysics } from '../../local/cloud/dynamodb/physics/aws-physics.ts';
import { seededRandom } from '../../local/cloud/dynamodb/physics/random.ts';
import { StreamReaders } from '../../local/cloud/dynamodb/physics/stream-readers.ts';
import { startEventSources } from '../../local/cloud/event-sources/start.ts';

it('a stream serves two readers, and a third one when another has stopped', () => {
  const readers = new StreamReaders();
  const servedAt = (nowMs: number) => ['a', 'b', 'c'].filter((reader) => readers.serves(reader, nowMs));
  expect(servedAt(0)).toEqual(['a', 'b']);
  expect(servedAt(900)).toEqual(['a', 'b']);
  expect(readers.serves('a', 1_500)).toBe(true);
  expect(readers.serves('c', 2_000)).toBe(true);
  expect(readers.serves('b', 2_100)).toBe(false);
});

it('the physics delay a third reader of the stream while two others read', async () => {
  const time = new SimulatedTime(0);
  const physics = new AwsPhysics({ time, random: seededRandom(1) });
  const seenMs: Record<string, number> = {};
  for (const reader of ['a', 'b', 'c']) {
    physics.readStream(reader, () => {
      seenMs[reader] = time.nowMs();
    });
  }
  await time.run(time.sleep(5_000));
  expect(seenMs).toEqual({ a: 250, b: 250, c: 2_250 });
  expect(physics.counts.byKind.get('StreamReaders')).toBe(2);
});

it('the local cloud throttles the third mapping of a stream and names it', async () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => warnings.push(message);
  process.on('warning', listen);
  const responses: Readonly<Record<string, unknown>> = {
    DescribeTable: { Table: { LatestStreamArn: 'arn:stream' } },
    DescribeStream: { StreamDescription: { Shards: [{ ShardId: 'shard' }] } },
    GetShardIterator: { ShardIterator: 'iterator' },
    GetRecords: { Records: [], NextShardIterator: 'iterator' },
  };
  const client = { endpoint: '', call: async (operation: string) => responses[operation], close: () => {} };
  const mapping = (logicalId: string) => ({
    kind: 'stream' as const,
    logicalId,
    table: { name: 'table', streamArn: 'arn:stream' },
    batchSize: 1,
    windowMs: 0,
    startingPosition: 'TRIM_HORIZON' as const,
  });
  const positions = { has: () => false, of: () => undefined, set: () => {}, save: () => {} };
  const sources = startEventSources({
    mappings: ['First', 'Second', 'Third'].map(mapping),
    dynamodb: client,
    streams: client,
    positions,
  } as never);
  await expect.poll(() => warnings.join('\n')).toContain('Third is throttled');
  await sources.stop();
  process.off('warning', listen);
  expect(warnings.join('\n')).not.toMatch(/(First|Second) is throttled/);
});
