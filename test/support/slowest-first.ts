import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts the whole service or synthesizes takes longest, and what is longest must not come last, when others have nothing left to do. */
const slowest = ['test/contract/operations', 'test/infra/stack', 'test/contract', 'test/webhooks', 'test/local'];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sortKeyOf = ({ moduleId }: TestSpecification): number => {
      const sortKey = slowest.findIndex((name) => moduleId.includes(name));
      return sortKey === -1 ? slowest.length : sortKey;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => sortKeyOf(a) - sortKeyOf(b));
  }
}
