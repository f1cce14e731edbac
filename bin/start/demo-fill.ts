import { marshall } from '@aws-sdk/util-dynamodb';
import type { FillTable } from '../../local/dynamodb/put-items.ts';
import { demoOrganisations } from './demo-data.ts';
import { demoItems } from './demo-items.ts';

/** Fills the table of a first start: whoever looks when the service is ready finds everybody there. */
export const fillDemo: FillTable = async (put) => {
  const nowUnix = Math.floor(Date.now() / 1000);
  const items = demoOrganisations.flatMap((orgId) => demoItems(orgId, nowUnix - (nowUnix % 86_400)));
  await put(items.map((item) => marshall(item, { removeUndefinedValues: true })));
};
