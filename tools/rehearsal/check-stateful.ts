import type { RehearsedStack } from './rehearsed-stack.ts';

/** The resource types with data that a replacement would lose, and the properties whose change makes CloudFormation replace them. */
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
  // The name of the bus contains the name of the stack, so it is left out: the list is the same for every stage.
  return JSON.parse(JSON.stringify(sorted).replace(/Gateline(dev|prod)(\w+?)[0-9A-F]{8}"/g, 'Gateline<stage>$2"'));
}

/** A replacement loses data. If it is intended, `npm run stateful` updates the list. */
export function checkStateful(stack: RehearsedStack, accepted: StatefulResources): string[] {
  const found = statefulResources(stack);
  const ids = [...new Set([...Object.keys(accepted), ...Object.keys(found)])];
  return ids.flatMap((id) => {
    if (JSON.stringify(accepted[id]) === JSON.stringify(found[id])) return [];
    if (found[id] === undefined) return [`${id} (${accepted[id]?.type}) would be deleted with its data.`];
    if (accepted[id] === undefined)
      return [
        `${id} (${found[id]?.type}) is not in lib/stateful-resources.json. If it is intended, run: npm run stateful`,
      ];
    return [`${id} (${found[id]?.type}) would be replaced: its properties differ from lib/stateful-resources.json.`];
  });
}
