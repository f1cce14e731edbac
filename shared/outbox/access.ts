import { tableAccess } from '../data/table/access.ts';
import type { FunctionAccess } from '../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const outboxAccess = {
  outboxItems: { FEED: ['PutItem'], DUE: ['PutItem'] },
  readFeed: { FEED: ['Query'] },
  readFeedEvent: { FEED: ['GetItem'] },
  claimOverdue: [tableAccess.overdueHints, { DUE: ['UpdateItem'] }],
} satisfies FunctionAccess;
