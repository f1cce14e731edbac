import { hashKeyItem } from '../../shared/data/table/hash-key.ts';
import { personHashWith } from '../../shared/data/table/person-hash.ts';

/** Of the demo, of tests and of the benchmark, whose items are generated before their table exists. A stage has its own random key. */
const demoKey = 'the key of hashes in the demo';

export const demoHash = personHashWith(demoKey);
export const demoHashKeyItem = hashKeyItem(demoKey);
