import { timeOrderedIds } from '../../platform/time-ordered-ids.ts';

export const entryIds = timeOrderedIds('jrn_');
