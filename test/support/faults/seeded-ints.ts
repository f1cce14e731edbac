import { seededRandom } from '../../../local/cloud/dynamodb/physics/random.ts';

/** Integers from 0 and below a limit, which SEED determines. Each test file has its own, so others do not change them. */
export function seededInts(): (below: number) => number {
  const random = seededRandom(Number(process.env.SEED));
  return (below) => Math.floor(random() * below);
}
