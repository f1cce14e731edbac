import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that start the whole service or synthesize take longest. They must run first, so no worker waits for them
 * at the end.
 */
const slowest = [
  'test/contract/operations',
  'test/infra/stack',
  'test/contract',
  'test/webhooks',
  'test/local/samples',
  'test/local',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = slowest.findIndex((name) => moduleId.includes(name));
      return rank === -1 ? slowest.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
