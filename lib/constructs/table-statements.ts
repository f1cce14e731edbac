import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { tableSchema } from '../../shared/data/table/schema.ts';
import { indexedKinds, type TableAccess } from '../../shared/domain/table-access.ts';

/**
 * The grants of an operation on the table. Partition keys begin with their kind, so LeadingKeys keeps a function to the kinds
 * it names. Scan and PartiQL are never granted: they carry no leading key, and the condition would hold vacuously.
 */
export function tableStatements(access: TableAccess, table: TableV2): PolicyStatement[] {
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
 * All kinds of an action stand in one statement: a BatchGetItem that reads several kinds is allowed only if a single
 * statement allows every one of its keys.
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
