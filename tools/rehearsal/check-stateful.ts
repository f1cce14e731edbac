import type { RehearsedStack } from './rehearsed-stack.ts';

/** The resource types with data that a replacement would lose, and the properties whose change makes CloudFormation replace them. */
const statefulTypes: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::KMS::Key': [],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
};

/** The stack with the resources that must not be lost. */
const stateStack = /^Gateline-\w+-state$/;

export type StatefulResources = Readonly<Record<string, { readonly type: string; readonly properties: object }>>;

export function statefulResources({ ofType }: RehearsedStack): StatefulResources {
  const entries = Object.entries(statefulTypes).flatMap(([type, names]) =>
    ofType(type).map(({ logicalId, Properties }): [string, StatefulResources[string]] => {
      const given = Object.entries(Properties).filter(([name]) => names.includes(name));
      return [logicalId, { type, properties: Object.fromEntries(given) }];
    }),
  );
  const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  // The name of the bus contains the stage. The list is the same for every stage.
  return JSON.parse(JSON.stringify(sorted).replace(/"gateline-(dev|prod)"/g, '"gateline-<stage>"'));
}

/** A replacement loses data. If it is intended, `npm run stateful` updates the list. */
export function checkStateful(stack: RehearsedStack, accepted: StatefulResources): string[] {
  const found = statefulResources(stack);
  const ids = [...new Set([...Object.keys(accepted), ...Object.keys(found)])];
  const changed = ids.flatMap((id) => {
    if (JSON.stringify(accepted[id]) === JSON.stringify(found[id])) return [];
    if (found[id] === undefined) return [`${id} (${accepted[id]?.type}) would be deleted with its data.`];
    if (accepted[id] === undefined)
      return [
        `${id} (${found[id]?.type}) is not in lib/stateful-resources.json. If it is intended, run: npm run stateful`,
      ];
    return [`${id} (${found[id]?.type}) would be replaced: its properties differ from lib/stateful-resources.json.`];
  });
  const misplaced = Object.entries(stack.template.Resources)
    .filter(([id, { StackName }]) => id in found && !stateStack.test(StackName))
    .map(
      ([id, { StackName }]) =>
        `${id} holds state, and ${StackName} may be replaced at any time: move it to lib/stacks/state-stack.ts.`,
    );
  return [...changed, ...misplaced];
}
