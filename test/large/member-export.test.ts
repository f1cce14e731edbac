import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { aMember, givenMembers, someDay } from '../../tools/fixtures/members.ts';
import { type Service, startService } from '../support/service.ts';

const [small, large] = [
  { orgId: 'org_tenk', size: 10_000 },
  { orgId: 'org_hundredk', size: 100_000 },
];
const megabyte = 1024 * 1024;

let service: Service;

const member = (index: number): MemberRecord =>
  aMember({
    memberId: idOf(someDay + index, 1),
    createdUnix: someDay + index,
    memberNumber: `M${index}`,
    firstName: 'Alexandra',
    lastName: `Kowalczyk-${index}`,
    emailAddress: `alexandra.kowalczyk${index}@example.com`,
    address: '12 Harbour Street',
    suburb: 'Port Melbourne',
  });

beforeAll(async () => {
  service = await startService([small.orgId, large.orgId]);
  for (const { orgId, size } of [small, large]) {
    for (let start = 0; start < size; start += 10_000) {
      await givenMembers(
        service.table,
        orgId,
        Array.from({ length: 10_000 }, (_, index) => member(start + index)),
      );
      console.log(`${orgId}: ${start + 10_000} of ${size} members written`);
    }
  }
});
afterAll(() => service.stop());

interface Export {
  readonly rows: number;
  readonly bytes: number;
  readonly complete: boolean;
  /** Resident memory in megabytes during the export, above the value before it. */
  readonly memory: readonly number[];
}

/** Reads the whole list and keeps nothing, so only the service can grow. Functions are threads of this process. */
async function exportMembers(orgId: string, encoding: string): Promise<Export> {
  const key = await service.newKey(orgId);
  const before = process.memoryUsage.rss();
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(Math.round((process.memoryUsage.rss() - before) / megabyte)), 250);
  const result = await new Promise<Omit<Export, 'memory'>>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': encoding };
    const call = request(`${service.cloud.url}/v1/members`, { headers }, (response) => {
      let bytes = 0;
      const rows = new Counter('"membership_member_id"');
      const text = encoding === 'gzip' ? response.pipe(createGunzip()) : response;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      text.on('data', (part: Buffer) => {
        rows.add(part);
      });
      text.on('end', () => resolve({ rows: rows.count, bytes, complete: response.complete }));
    });
    call.on('error', reject);
    call.end();
  });
  clearInterval(sampling);
  return { ...result, memory };
}

/** Counts a text in a stream, also where two parts cut it. */
class Counter {
  count = 0;
  readonly #text: string;
  #tail = '';

  constructor(text: string) {
    this.#text = text;
  }

  add(part: Buffer): void {
    const text = this.#tail + part.toString('latin1');
    this.count += text.split(this.#text).length - 1;
    this.#tail = text.slice(
      Math.max(text.lastIndexOf(this.#text) + this.#text.length, text.length - this.#text.length + 1),
    );
  }
}

describe.each(['identity', 'gzip'])('list-members with 100,000 members in one response (%s)', (encoding) => {
  it('list-members streams 100,000 members with memory that does not depend on their number', async () => {
    const few = await exportMembers(small.orgId, encoding);
    const many = await exportMembers(large.orgId, encoding);
    console.log(`${encoding}: ${many.bytes} bytes; memory above the start, MB: ${many.memory.join(' ')}`);
    expect(many.complete).toBe(true);
    expect([few.rows, many.rows]).toEqual([small.size, large.size]);
    const peak = ({ memory }: Export): number => Math.max(...memory, 0);
    expect(peak(many)).toBeLessThan(Math.max(2 * peak(few), 150));
  });
});
