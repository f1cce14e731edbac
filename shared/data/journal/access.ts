import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const journalAccess = {
  journalItems: { JRN: ['PutItem'] },
  entriesOfOrder: { JRN: ['Query'] },
  isMoneyWithdrawn: { JRN: ['Query'] },
  readJournal: { JRN: ['Query'] },
  readTakings: { JRN: ['Query'] },
} satisfies FunctionAccess;
