import type { RehearsedStack } from './rehearsed-stack.ts';

/** What holds something that a new one would not have, with the properties whose change makes CloudFormation replace it. */
const statefulTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
};

export type StatefulResources = Readonly<Record<string, { readonly type: string; readonly properties: object }>>;

export function statefulResources({ ofType }: RehearsedStack): StatefulResources {
  const entries = Object.entries(statefulTypes).flatMap(([type, names]) =>
    ofType(type).map(({ logicalId, Properties }): [string, StatefulResources[string]] => {
      const given = Object.entries(Properties).filter(([name]) => names.includes(name));
      return [logicalId, { type, properties: Object.fromEntries(given) }];
    }),
  );
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  // The bus must have a name, and it holds that of the stack: the list is the same for every stage.
  return JSON.parse(JSON.stringify(sorted).replace(/Gateline(dev|prod)(\w+?)[0-9A-F]{8}"/g, 'Gateline<stage>$2"'));
}

/** A replacement loses data. It may be right, and then it is a decision: `npm run stateful` writes the list anew. */
export function checkStateful(stack: RehearsedStack, agreed: StatefulResources): string[] {
  const found = statefulResources(stack);
  const ids = [...new Set([...Object.keys(agreed), ...Object.keys(found)])];
  return ids.flatMap((id) => {
    if (JSON.stringify(agreed[id]) === JSON.stringify(found[id])) return [];
    if (found[id] === undefined) return [`${id} (${agreed[id]?.type}) would be deleted with what it holds.`];
    if (agreed[id] === undefined)
      return [`${id} (${found[id]?.type}) is new and not on the list of stateful resources.`];
    return [`${id} (${found[id]?.type}) would be replaced: its properties differ from the agreed ones.`];
  });
}
