import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { indexedKinds, type TableAccess } from '../../shared/domain/table-access.ts';

/**
 * The IAM statements for an operation's access to the table. Every partition key starts with its kind, so the condition on
 * LeadingKeys limits a function to its kinds. Scan and PartiQL are never granted: they have no leading key, so the condition
 * would always hold.
 */
export function tableStatements(access: TableAccess, table: ITableV2): PolicyStatement[] {
  const actionsByKinds = new Map<string, string[]>();
  for (const [action, kinds] of kindsByAction(access)) {
    const key = kinds.sort().join();
    actionsByKinds.set(key, [...(actionsByKinds.get(key) ?? []), action]);
  }
  return [...actionsByKinds].map(([key, actions]) => {
    const kinds = key.split(',');
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
function kindsByAction(access: TableAccess): ReadonlyMap<string, string[]> {
  const byAction = new Map<string, string[]>();
  for (const [kind, actions] of Object.entries(access)) {
    for (const action of actions) byAction.set(action, [...(byAction.get(action) ?? []), kind]);
  }
  return byAction;
}

function isIndexed(kind: string): boolean {
  return indexedKinds.some((indexed) => indexed === kind);
}
