import * as v from 'valibot';
import { everyCustomer } from '../../../shared/data/admin/read-all.ts';
import { countCustomers } from '../../../shared/data/admin/totals.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { retryRaces } from '../../../shared/data/table/retry.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { addedUnixOf, type CustomerRecord, customerLimits } from '../../../shared/domain/customers/customer.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { importedConsents } from '../../../shared/sales/consents/imported-consents.ts';
import * as column from '../columns.ts';
import { defineDataset, type IsGiven, type SaveResult, type TransferContext } from '../dataset.ts';
import { metadataPairs } from '../metadata-columns.ts';

const CustomerRow = v.strictObject({
  org_customer_id: column.name(customerLimits.orgCustomerId),
  first_name: column.textOrNull(customerLimits.firstName),
  last_name: column.textOrNull(customerLimits.lastName),
  email_address: column.emailOrNull,
  mobile_number: column.textOrNull(customerLimits.mobileNumber),
  postcode: column.textOrNull(customerLimits.postcode),
  marketing_emails: column.boolean,
  new_event_notifications: column.boolean,
  add_date: column.createdUnix,
  metadata: metadataPairs,
});
type CustomerRow = v.InferOutput<typeof CustomerRow>;

const customerDefaults = {
  first_name: null,
  last_name: null,
  email_address: null,
  mobile_number: null,
  postcode: null,
  marketing_emails: false,
  new_event_notifications: false,
} as const;

export const customers = defineDataset({
  name: 'customers',
  plural: 'customers',
  key: 'org_customer_id',
  schema: CustomerRow,
  async open(context) {
    return {
      get defaults() {
        return { ...customerDefaults, add_date: unixSeconds(context.clock) };
      },
      async find(key) {
        const record = await findCustomer(context.table, context.orgId, key, { consistent: true });
        return record && toRow(record);
      },
      mergesOnSave: true,
      save: (row, isGiven, tried) => save(row, { isGiven, tried }, context),
    };
  },
  total: ({ table, orgId }) => countCustomers(table, orgId),
  async *rows({ table, orgId }) {
    for await (const records of everyCustomer(table, orgId)) yield* records.map(toRow);
  },
});

async function save(
  row: CustomerRow,
  { isGiven, tried }: { readonly isGiven: IsGiven; readonly tried: TriedWrites },
  { table, orgId, clock }: TransferContext,
): Promise<SaveResult> {
  const nowUnix = unixSeconds(clock);
  const given = <Column extends keyof CustomerRow>(column: Column) => (isGiven(column) ? row[column] : undefined);
  const draft = {
    orgCustomerId: row.org_customer_id,
    firstName: given('first_name'),
    lastName: given('last_name'),
    emailAddress: given('email_address'),
    mobileNumber: given('mobile_number'),
    postcode: given('postcode'),
    marketingEmails: given('marketing_emails'),
    newEventNotifications: given('new_event_notifications'),
    addedUnix: row.add_date,
    metadata: row.metadata,
    // Clients ask for changes since their last request. An old customer that is imported now is new to them.
    updatedUnix: row.add_date < nowUnix ? nowUnix : null,
  };
  const consents = importedConsents({ table, orgId, clock });
  // Refused: something was recorded about the customer since.
  const saved = await retryRaces('consents of the customer', async () => {
    const attempt = await saveCustomer(table, orgId, { ...draft, callerItems: consents, tried }, nowUnix);
    return attempt.outcome === 'caller_refused' ? undefined : attempt;
  });
  switch (saved.outcome) {
    case 'address_taken':
    case 'caller_refused':
      return { rejected: 'The customer was not saved.' };
    case 'invalid':
      return { rejected: `${saved.field} must be at most ${saved.maxLength} characters.` };
    default:
      return saved.outcome;
  }
}

function toRow(record: CustomerRecord): CustomerRow {
  return {
    org_customer_id: record.orgCustomerId,
    first_name: record.firstName,
    last_name: record.lastName,
    email_address: record.emailAddress,
    mobile_number: record.mobileNumber,
    postcode: record.postcode,
    marketing_emails: record.marketingEmails,
    new_event_notifications: record.newEventNotifications,
    add_date: addedUnixOf(record),
    metadata: record.metadata,
  };
}
