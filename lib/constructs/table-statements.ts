import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { indexedKinds, type TableAccess } from '../../shared/domain/table-access.ts';

/**
 * The IAM statements for an operation's access to the table. Every partition key starts with its kind, so the condition on
 * LeadingKeys limits a function to its kinds. Scan and PartiQL are never granted: they have no leading key, so the condition
 * would always hold.
 */
export function tableStatements(access: TableAccess, table: Pick<ITableV2, 'tableArn'>): PolicyStatement[] {
  const actionsByKinds = Map.groupBy(kindsByAction(access), ([, kinds]) => kinds.join());
  return [...actionsByKinds].map(([key, grouped]) => {
    const kinds = key.split(',');
    const actions = grouped.map(([action]) => action);
    return new PolicyStatement({
      actions: actions.sort().map((action) => `dynamodb:${action}`),
      resources: [
        table.tableArn,
        ...(actions.includes('Query') && kinds.some(isIndexed)
          ? tableSchema.indexes.map(({ name }) => `${table.tableArn}/index/${name}`)
          : []),
      ],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) } },
    });
  });
}

/**
 * One statement per action lists all its kinds, because IAM allows a BatchGetItem across kinds only if a single statement
 * allows every key.
 */
function kindsByAction(access: TableAccess): (readonly [action: string, kinds: readonly string[]])[] {
  const grants = Object.entries(access).flatMap(([kind, actions]) => actions.map((action) => ({ kind, action })));
  return [...Map.groupBy(grants, ({ action }) => action)].map(([action, ofAction]) => [
    action,
    ofAction.map(({ kind }) => kind).sort(),
  ]);
}

function isIndexed(kind: string): boolean {
  return indexedKinds.some((indexed) => indexed === kind);
}
