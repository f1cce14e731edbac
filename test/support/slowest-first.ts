import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isIn = (path: string) => (file: string) => file.includes(path);

/** A service of its own ends the one that the files of a worker share, so these run before them. */
const startsService = (file: string): boolean => readFileSync(file, 'utf8').includes('await startService(');

/**
 * Files that start the whole service or synthesize take longest. They must run first, so no worker waits for them
 * at the end.
 */
const slowest = [
  isIn('test/contract/operations'),
  isIn('test/infra/stack'),
  startsService,
  isIn('test/contract'),
  isIn('test/webhooks'),
  isIn('test/local/samples'),
  isIn('test/local'),
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = slowest.findIndex((isOfRank) => isOfRank(moduleId));
      return rank === -1 ? slowest.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
