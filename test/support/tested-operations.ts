import { operations } from '../../shared/operations/registry.ts';

const { TEST_OPERATIONS = '' } = process.env;

/** The operations whose id contains TEST_OPERATIONS, or all. The tests of a few operations then bundle only their functions. */
export const testedOperations = operations.filter(({ id }) => id.includes(TEST_OPERATIONS));
