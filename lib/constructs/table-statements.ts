import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { tableSchema } from '../../shared/data/table-schema.ts';
import { indexedKinds, type TableAccess } from '../../shared/domain/table-access.ts';

/**
 * The grants of an operation on the table. Partition keys begin with their kind, so LeadingKeys keeps a function to the kinds
 * it names. Scan and PartiQL are never granted: they carry no leading key, and the condition would hold vacuously.
 */
export function tableStatements(access: TableAccess, table: TableV2): PolicyStatement[] {
  const kindsByActions = new Map<string, string[]>();
  for (const [kind, actions] of Object.entries(access)) {
    const key = [...actions].sort().join();
    kindsByActions.set(key, [...(kindsByActions.get(key) ?? []), kind]);
  }
  return [...kindsByActions].map(([key, kinds]) => {
    const actions = key.split(',');
    return new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [
        table.tableArn,
        ...(actions.includes('Query') && kinds.some(isIndexed)
          ? tableSchema.indexes.map(({ name }) => `${table.tableArn}/index/${name}`)
          : []),
      ],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.sort().map((kind) => `${kind}#*`) } },
    });
  });
}

function isIndexed(kind: string): boolean {
  return indexedKinds.some((indexed) => indexed === kind);
}
