import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What starts the whole service or synthesizes takes longest, and what is longest must not come last, when others have nothing left to do. */
const slowest = ['test/contract/operations', 'test/infra/stack', 'test/contract', 'test/webhooks', 'test/local'];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = slowest.findIndex((name) => moduleId.includes(name));
      return place === -1 ? slowest.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}
