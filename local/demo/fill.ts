import { marshall } from '@aws-sdk/util-dynamodb';
import type { FillTable, StoredItem } from '../dynamodb/put-items.ts';
import { demoOrganisations } from './data.ts';
import { demoItems } from './items.ts';

/** Fills the table of a first start: whoever looks when the service is ready finds everybody there. */
export const fillDemo: FillTable = (put) => put(storedDemo(Math.floor(Date.now() / 1000)));

function* storedDemo(nowUnix: number): Generator<StoredItem> {
  for (const orgId of demoOrganisations) {
    for (const item of demoItems(orgId, nowUnix - (nowUnix % 86_400))) {
      yield marshall(item, { removeUndefinedValues: true });
    }
  }
}
