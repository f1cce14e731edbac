import { isDeepStrictEqual } from 'node:util';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { defaultLocale } from '../../domain/organisations/locale.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { createHashKey } from '../table/hash-key.ts';
import { authKey, organisationKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { directoryEntry, nextOrganisation } from './directory.ts';

const text = v.nullable(v.string());

const OrganisationItem = v.object({
  orgId: v.string(),
  name: v.string(),
  company: text,
  businessNumber: text,
  paymentAccountId: text,
  /** The text on a buyer's statement; null for that of the payment account. */
  statementDescriptor: v.optional(text),
  /** Whether the payment provider sends its own receipt to the buyer. */
  sendsReceipts: v.optional(v.boolean()),
  country: v.string(),
  timezone: v.string(),
  /** The language and country of documents, as BCP 47 writes them. */
  locale: v.optional(v.string(), defaultLocale),
  logoImage: text,
  backgroundImage: text,
  favicon: text,
  backgroundColor: text,
  /** Which key signs the links of tickets. A higher number ends all links that were made before. */
  linkKeyVersion: v.optional(v.number()),
  createdUnix: v.number(),
});
export type OrganisationRecord = v.InferOutput<typeof OrganisationItem>;
/** What has a default may be missing. */
export type NewOrganisation = v.InferInput<typeof OrganisationItem>;

export async function readOrganisation(table: Table, orgId: string): Promise<OrganisationRecord | undefined> {
  const item = await getItem(table, organisationKey(orgId));
  return item === undefined ? undefined : v.parse(OrganisationItem, item);
}

/** The number of the key that signs the links of tickets. */
export function linkKeyVersionOf({ linkKeyVersion }: Pick<OrganisationRecord, 'linkKeyVersion'>): number {
  return linkKeyVersion ?? 1;
}

/** One transaction creates the organisation and its AUTH item, so neither ever exists without the other. */
export async function createOrganisation(table: Table, organisation: NewOrganisation): Promise<'created' | 'exists'> {
  // A table with organisations has a key of hashes. If it is lost, a new one would hide all look-ups that were written with it.
  if ((await nextOrganisation(table, '')) === undefined) await createHashKey(table);
  const absent = 'attribute_not_exists(pk)';
  try {
    await table.client.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: table.name,
              Item: { ...organisationKey(organisation.orgId), ...organisation, ...directoryEntry(organisation.orgId) },
              ConditionExpression: absent,
            },
          },
          {
            Put: {
              TableName: table.name,
              Item: { ...authKey(organisation.orgId), version: 0 },
              ConditionExpression: absent,
            },
          },
        ],
      }),
    );
    return 'created';
  } catch (error) {
    if (isConditionFailure(error)) return 'exists';
    throw error;
  }
}

type EditableFields = Omit<OrganisationRecord, 'orgId' | 'createdUnix'>;
/** The new values by field. An undefined field keeps its value. */
export type OrganisationChange = { readonly [Field in keyof EditableFields]?: EditableFields[Field] | undefined };

export interface UpdatedOrganisation {
  readonly outcome: 'changed' | 'unchanged';
  readonly record: OrganisationRecord;
}

/** Sets only the given fields (at least one), so two people can change different fields at the same time. */
export async function updateOrganisation(
  table: Table,
  orgId: string,
  change: OrganisationChange,
): Promise<UpdatedOrganisation | undefined> {
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  // Also puts an organisation from before the directory into it.
  const written = [...fields, ...Object.entries(directoryEntry(orgId))];
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: organisationKey(orgId),
        UpdateExpression: `SET ${written.map((_, index) => `#${index} = :${index}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(written.map(([name], index) => [`#${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(written.map(([, value], index) => [`:${index}`, value])),
        ReturnValues: 'ALL_OLD',
      }),
    );
    const before = v.parse(OrganisationItem, Attributes);
    const record = { ...before, ...Object.fromEntries(fields) };
    return { outcome: isDeepStrictEqual(before, record) ? 'unchanged' : 'changed', record };
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
