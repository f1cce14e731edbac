import { marshall } from '@aws-sdk/util-dynamodb';
import type { FillTable, StoredItem } from '../cloud/dynamodb/put-items.ts';
import { demoOrganisations } from './data.ts';
import { demoHashKeyItem } from './hash-key.ts';
import { demoItems } from './items.ts';

/** Fills the table at the first start, so all demo data exists when the service is ready. */
export const fillDemo =
  (nowMs: number): FillTable =>
  (put) =>
    put(storedDemo(Math.floor(nowMs / 1000)));

function* storedDemo(nowUnix: number): Generator<StoredItem> {
  yield marshall(demoHashKeyItem);
  for (const orgId of demoOrganisations) {
    for (const item of demoItems(orgId, nowUnix - (nowUnix % 86_400))) {
      yield marshall(item, { removeUndefinedValues: true });
    }
  }
}
