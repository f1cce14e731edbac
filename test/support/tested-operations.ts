import { operations } from '../../shared/operations/registry.ts';

const { TEST_OPERATIONS = '' } = process.env;

const parts = TEST_OPERATIONS.split(',');

/** The operations whose id contains a part of TEST_OPERATIONS, or all. The tests of a few operations then bundle only their functions. */
export const testedOperations = operations.filter(({ id }) => parts.some((part) => id.includes(part)));
