import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from './failures.ts';
import { doorKey, organisationKey } from './keys.ts';
import type { Table } from './table.ts';

const text = v.nullable(v.string());

const OrganisationItem = v.object({
  orgId: v.string(),
  name: v.string(),
  company: text,
  businessNumber: text,
  paymentAccountId: text,
  country: v.string(),
  timezone: v.string(),
  logoImage: text,
  backgroundImage: text,
  favicon: text,
  backgroundColor: text,
  createdUnix: v.number(),
});
export type OrganisationRecord = v.InferOutput<typeof OrganisationItem>;

export async function readOrganisation(table: Table, orgId: string): Promise<OrganisationRecord | undefined> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: organisationKey(orgId) }));
  return Item === undefined ? undefined : v.parse(OrganisationItem, Item);
}

/** The organisation and its door come into being together: there is never one without the other. */
export async function createOrganisation(
  table: Table,
  organisation: OrganisationRecord,
): Promise<'created' | 'exists'> {
  const absent = 'attribute_not_exists(pk)';
  try {
    await table.client.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: table.name,
              Item: { ...organisationKey(organisation.orgId), ...organisation },
              ConditionExpression: absent,
            },
          },
          {
            Put: {
              TableName: table.name,
              Item: { ...doorKey(organisation.orgId), version: 0 },
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
