import { readCurrentConsents } from '../../data/customers/consents.ts';
import type { Table } from '../../data/table/table.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { marketingEmails, noConsents } from '../../domain/customers/consents.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import type { Clock } from '../../platform/clock.ts';
import { newConsents } from './record-consents.ts';

interface ImportDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
}

/**
 * What an import that changes `marketing_emails` adds to the transaction of the customer: the consent that the file says. A customer whose
 * value stays has said nothing new. An import announces nothing.
 */
export function importedConsents(deps: ImportDeps) {
  return async (after: CustomerRecord, before: CustomerRecord | undefined): Promise<readonly TransactItem[]> => {
    const { userId, marketingEmails: given } = after;
    if (given === (before?.marketingEmails ?? false)) return [];
    const current = before === undefined ? noConsents : await readCurrentConsents(deps.table, deps.orgId, userId);
    const said = [{ ...marketingEmails, given, textVersion: null }];
    return newConsents({ ...deps, requestId: undefined }, after, current, { said, source: 'import' })?.items ?? [];
  };
}
