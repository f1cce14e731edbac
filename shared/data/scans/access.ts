import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { countersAccess } from '../counters/access.ts';
import { membersAccess } from '../members/access.ts';
import { plansAccess } from '../plans/access.ts';
import { positionsAccess } from '../positions/access.ts';
import { termsAccess } from '../terms/access.ts';

const readScan = { SCN: ['GetItem'] } satisfies Access;
const readEntries = [termsAccess.termsOfMember, { PASS: ['Query'] }] satisfies Access;
const findMember = [
  membersAccess.readMember,
  readEntries,
  plansAccess.readPlan,
  { MCF: ['BatchGetItem'], PASS: ['GetItem'] },
] satisfies Access;
const readScanned = { BAR: ['BatchGetItem'], NON: ['BatchGetItem'], CNT: ['BatchGetItem'] } satisfies Access;
const previewScan = [readScan, readScanned] satisfies Access;

/** What the functions of this folder do to the table. */
export const scansAccess = {
  readEntries,
  readUse: { PASS: ['Query'] },
  useEnded: { PASS: ['UpdateItem'] },
  memberPriceBought: { PASS: ['UpdateItem'] },
  listScans: [countersAccess.locateOffset, { SCN: ['Query'] }],
  readScan,
  findMember,
  readScanned,
  previewScan,
  recordScan: [
    previewScan,
    countersAccess.addToCounters,
    positionsAccess.positionChangePut,
    {
      BAR: ['UpdateItem'],
      MEM: ['ConditionCheckItem', 'PutItem'],
      NON: ['PutItem'],
      PASS: ['UpdateItem'],
      SCN: ['PutItem'],
    },
  ],
  BarcodeLookup: [findMember, readScan],
} satisfies FunctionAccess;
