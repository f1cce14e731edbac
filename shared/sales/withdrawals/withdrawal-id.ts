import { randomText } from '../../platform/random-text.ts';

/** 100 random bits: an id of a request that nobody has proved says nothing, and cannot be guessed. */
export const newWithdrawalId = (): string => `wdr_${randomText(20).toLowerCase()}`;
