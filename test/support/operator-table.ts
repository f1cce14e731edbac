import type { Cloud } from '../../local/cloud/cloud.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';

/** The table of a local cloud, with the operator's credentials. */
export function operatorTable({ operator, template, endpoints, physicalId }: Cloud): Table {
  const { region, accessKeyId, secretAccessKey } = operator;
  const [tableResource] = template.ofType('AWS::DynamoDB::GlobalTable');
  return openTable(physicalId(tableResource?.logicalId ?? ''), {
    ...batchClientConfig,
    region,
    endpoint: endpoints.dynamodb,
    credentials: { accessKeyId, secretAccessKey },
  });
}
