import { consentWrites, readCurrentConsents } from '../../data/customers/consents.ts';
import { readCustomer } from '../../data/customers/read.ts';
import { changedCustomer } from '../../data/customers/save.ts';
import { customerCheck, customerWrites } from '../../data/customers/write.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { Table } from '../../data/table/table.ts';
import { labelled, type TransactItem, transact } from '../../data/table/transact.ts';
import {
  type Consent,
  type ConsentSource,
  type ConsentStatement,
  type CurrentConsents,
  noConsents,
  statementMs,
  wantsMarketingEmails,
  withConsents,
} from '../../domain/customers/consents.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { consentChanged } from '../../mappers/consent.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import type { Clock } from '../../platform/clock.ts';

export interface ConsentDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
  readonly requestId: string | undefined;
}

interface Statements {
  readonly said: readonly ConsentStatement[];
  readonly source: ConsentSource;
  /** When a checkout took them. Without it they are said now, and the newest. */
  readonly saidMs?: number | undefined;
  /** The order at whose checkout they were said: its statements are recorded once. */
  readonly orderId?: number | undefined;
}

interface RecordCommand extends Statements {
  readonly userId: number;
  /** Conditions on other items, such as that the basket is as it was read. */
  readonly callerItems?: readonly TransactItem[] | undefined;
}

export type RecordedConsents =
  /** `consents` is empty if the order has recorded them before. */
  | { readonly outcome: 'recorded'; readonly customer: CustomerRecord; readonly consents: readonly Consent[] }
  | { readonly outcome: 'missing' | 'too_many' | 'caller_refused' };

/**
 * Adds what a person said to the history of the customer. One transaction has the history, what counts now, `marketing_emails`, which
 * follows it, and the events. It is written on the condition that neither the customer nor what counts has changed: an erasure changes the
 * customer before it deletes the consents, and of two statements at the same moment the one that is written last is the newest.
 */
export function recordConsents(
  deps: ConsentDeps,
  { userId, callerItems = [], ...statements }: RecordCommand,
  sideEffects: (consents: readonly Consent[]) => readonly TransactItem[] = () => [],
): Promise<RecordedConsents> {
  const { table, orgId } = deps;
  return retryRaces('consents of the customer', async (): Promise<RecordedConsents | undefined> => {
    const [customer, before] = await Promise.all([
      readCustomer(table, orgId, userId, { consistent: true }),
      readCurrentConsents(table, orgId, userId),
    ]);
    if (customer === undefined) return { outcome: 'missing' };
    const change = newConsents(deps, customer, before, statements);
    if (change === undefined) return { outcome: 'too_many' };
    const { after, consents } = change;
    const items = [
      ...change.items,
      ...(after === customer
        ? [customerCheck(table, orgId, customer)]
        : await customerWrites(table, orgId, { before: customer, after })),
      ...labelled('caller', callerItems),
    ];
    const refused = await transact(table, items, [...change.events, ...sideEffects(consents)]);
    if (refused.length === 0) return { outcome: 'recorded', customer: after, consents };
    const isRefused = (label: string) => refused.some((refusal) => refusal.label === label);
    if (isRefused('caller')) return { outcome: 'caller_refused' };
    // Another request may have said something at the same millisecond; only the order itself says the same again.
    return isRefused('consent') && statements.orderId !== undefined
      ? { outcome: 'recorded', customer, consents: [] }
      : undefined;
  });
}

/** The statements of a checkout that creates the customer, for the transaction that does. */
export function consentsOfNewCustomer(
  deps: ConsentDeps,
  customer: CustomerRecord,
  statements: Statements,
): readonly TransactItem[] {
  const change = newConsents(deps, customer, noConsents, statements);
  return change === undefined ? [] : [...change.items, ...change.events];
}

/** The writes of new statements, and the customer and the events that follow. Undefined if there would be too many. */
export function newConsents(
  { table, orgId, clock, requestId }: ConsentDeps,
  customer: CustomerRecord,
  before: CurrentConsents,
  { said, source, saidMs, orderId }: Statements,
) {
  const nowMs = clock.nowMs();
  const atMs = saidMs ?? statementMs(before, nowMs);
  const consents = said.map((statement): Consent => ({ ...statement, source, atMs, orderId: orderId ?? null }));
  const added = withConsents(before, consents);
  if (added === undefined) return undefined;
  const marketingEmails = wantsMarketingEmails(added.current.consents);
  const after = changedCustomer(customer, { marketingEmails }, Math.floor(nowMs / 1000));
  return {
    after,
    consents,
    items: consentWrites(table, orgId, { userId: customer.userId, before, after: added.current, added: consents }),
    events: added.changed.flatMap((consent) =>
      outboxItems(table, orgId, consentChanged(orgId, after, consent), { nowMs, requestId }),
    ),
  };
}
