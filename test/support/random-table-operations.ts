import fc from 'fast-check';
import {
  attributes,
  keyConditions,
  type RandomExpression,
  randomCondition,
  randomFilter,
  randomProjection,
  randomScanFilter,
  randomUpdate,
} from './expressions/random-expressions.ts';

type Input = Readonly<Record<string, unknown>>;

/** One random operation, without the name of the table. */
export interface Operation {
  readonly name:
    | 'GetItem'
    | 'BatchGetItem'
    | 'BatchWriteItem'
    | 'Query'
    | 'Scan'
    | 'PutItem'
    | 'UpdateItem'
    | 'DeleteItem'
    | 'TransactGetItems'
    | 'TransactWriteItems';
  readonly input: Input;
}

/** Few keys, so operations meet on the same items. The last sort key is longer in UTF-8 than its order in UTF-16 suggests. */
const pk = fc.constantFrom('A#1', 'B#1', 'C#1');
const sk = fc.constantFrom('#', 'a', 'a#1', 'ab', 'b', 'é', '\uffee', '😀');
const key = fc.record({ pk, sk });
const indexPartition = fc.constantFrom('P', 'Q');

/** DynamoDB does not define the order of items with the same keys in an index, so their sort keys end with the item's own key. */
const ownSortKey = (start: string, at: { readonly pk: string; readonly sk: string }) => `${start}#${at.pk}${at.sk}`;

const indexKeys = fc.option(fc.tuple(indexPartition, fc.constantFrom('1', '2', '10')), { nil: undefined });
const large = fc.constantFrom(undefined, 'z'.repeat(900), 'z'.repeat(2_500), 'z'.repeat(5_000));
const item = fc
  .tuple(key, fc.record(attributes, { requiredKeys: ['n', 'v', 's'] }), large, fc.tuple(indexKeys, indexKeys))
  .map(([at, more, text, [by1, by2]]) => ({
    ...more,
    ...at,
    ...(text && { text }),
    ...(by1 && { by1pk: by1[0], by1sk: ownSortKey(by1[1], at) }),
    ...(by2 && { by2pk: by2[0], by2sk: ownSortKey(by2[1], at) }),
  }));

/** DynamoDB refuses empty lists of names and values. */
function placeholders(...expressions: readonly (RandomExpression | undefined)[]): Input {
  const names = Object.assign({}, ...expressions.map((one) => one?.names));
  const values = Object.assign({}, ...expressions.map((one) => one?.values));
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const conditional = fc
  .tuple(randomCondition, fc.constantFrom('ALL_OLD', 'NONE', undefined))
  .map(([condition, returned]) => ({
    condition,
    parameters: {
      ConditionExpression: condition.expression,
      ...(returned && { ReturnValuesOnConditionCheckFailure: returned }),
    },
  }));
const maybeConditional = fc.option(conditional, { nil: undefined });

const putInput = fc.tuple(item, maybeConditional).map(([Item, given]) => ({
  Item,
  ...given?.parameters,
  ...placeholders(given?.condition),
}));
const updateInput = fc.tuple(key, randomUpdate, maybeConditional).map(([Key, update, given]) => {
  const values = Object.entries(update.values).map(([name, value]) => [
    name,
    value === '1#@' ? ownSortKey('1', Key) : value,
  ]);
  return {
    Key,
    UpdateExpression: update.expression,
    ...given?.parameters,
    ...placeholders({ ...update, values: Object.fromEntries(values) }, given?.condition),
  };
});
const deleteInput = fc.tuple(key, maybeConditional).map(([Key, given]) => ({
  Key,
  ...given?.parameters,
  ...placeholders(given?.condition),
}));
const checkInput = fc.tuple(key, conditional).map(([Key, { condition, parameters }]) => ({
  Key,
  ...parameters,
  ...placeholders(condition),
}));

const queryInput = fc
  .tuple(
    fc.constantFrom(undefined, 'by1', 'by2'),
    fc.constantFrom(...keyConditions),
    fc.tuple(key, sk, indexPartition, fc.constantFrom('1', '2', '10')),
    fc.record(
      {
        Limit: fc.integer({ min: 1, max: 4 }),
        ScanIndexForward: fc.boolean(),
        ConsistentRead: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      { filter: randomFilter, projection: randomProjection, start: key, isCounted: fc.constant(true) },
      { requiredKeys: [] },
    ),
  )
  .map(([IndexName, shape, [at, other, partition, indexSort], page, more]) => {
    const [from, to] = IndexName === undefined ? [at.sk, other] : [indexSort, '2'];
    const isOrdered = Buffer.compare(Buffer.from(from), Buffer.from(to)) <= 0;
    const values = [IndexName === undefined ? at.pk : partition, ...(isOrdered ? [from, to] : [to, from])];
    const bound: Record<string, string> = {};
    const KeyConditionExpression = shape
      .replaceAll(/\b[ps]k\b/g, (name) => `${IndexName ?? ''}${name}`)
      .replaceAll(':S', () => {
        const placeholder = `:k${Object.keys(bound).length}`;
        bound[placeholder] = values[Object.keys(bound).length] ?? '';
        return placeholder;
      });
    const isProjected = more.projection !== undefined && more.isCounted === undefined;
    // A start outside of the condition is refused, in words that differ.
    const start = shape === 'pk = :S' ? more.start : undefined;
    return {
      KeyConditionExpression,
      ...page,
      ...(IndexName !== undefined && { IndexName }),
      ...(more.filter && { FilterExpression: more.filter.expression }),
      ...(isProjected && { ProjectionExpression: more.projection?.expression }),
      ...(more.isCounted && { Select: 'COUNT' }),
      ...(start && {
        ExclusiveStartKey:
          IndexName === undefined
            ? { pk: at.pk, sk: start.sk }
            : { ...start, [`${IndexName}pk`]: partition, [`${IndexName}sk`]: ownSortKey(indexSort, start) },
      }),
      ...placeholders(
        { expression: '', names: {}, values: bound },
        more.filter,
        isProjected ? more.projection : undefined,
      ),
    };
  });

/** The order of partitions is not defined, so only a whole Scan can be compared. */
const scanInput = fc
  .record(
    { filter: randomScanFilter, projection: randomProjection, ConsistentRead: fc.boolean() },
    { requiredKeys: [] },
  )
  .map(({ filter, projection, ...options }) => ({
    ...options,
    ...(filter && { FilterExpression: filter.expression }),
    ...(projection && { ProjectionExpression: projection.expression }),
    ...placeholders(filter, projection),
  }));

const returned = fc.constantFrom('NONE', 'ALL_OLD');
const withReturn = <Value extends object>(input: fc.Arbitrary<Value>, values: fc.Arbitrary<string> = returned) =>
  fc.tuple(input, values).map(([one, ReturnValues]) => ({ ...one, ReturnValues }));

/** DynamoDB Local finds an item that is named twice only after it has checked the conditions. */
const transactWrite = fc
  .uniqueArray(
    fc.oneof(
      putInput.map((Put) => ({ Put })),
      updateInput.map((Update) => ({ Update })),
      deleteInput.map((Delete) => ({ Delete })),
      checkInput.map((ConditionCheck) => ({ ConditionCheck })),
    ),
    { minLength: 1, maxLength: 3, selector: keyText },
  )
  .map((TransactItems) => ({ TransactItems }));

function keyText(write: object): string {
  const [input] = Object.values(write);
  const { pk: partition, sk: sort } = input.Item ?? input.Key;
  return JSON.stringify([partition, sort]);
}

const keys = fc.array(key, { minLength: 1, maxLength: 3 });
const getOptions = fc.record({ ConsistentRead: fc.boolean(), projection: randomProjection }, { requiredKeys: [] });
const withProjection = <Value extends object>(input: fc.Arbitrary<Value>) =>
  fc.tuple(input, getOptions).map(([one, { projection, ...options }]) => ({
    ...one,
    ...options,
    ...(projection && { ProjectionExpression: projection.expression, ...placeholders(projection) }),
  }));

const requests = fc.array(
  fc.oneof(
    item.map((Item) => ({ PutRequest: { Item } })),
    key.map((Key) => ({ DeleteRequest: { Key } })),
  ),
  { minLength: 1, maxLength: 3 },
);

const named =
  (name: Operation['name']) =>
  (input: Input): Operation => ({ name, input });

/** Any operation that the project uses, on few items. Some name an item twice. */
export const randomOperation: fc.Arbitrary<Operation> = fc.oneof(
  withReturn(putInput).map(named('PutItem')),
  withReturn(updateInput, fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW')).map(named('UpdateItem')),
  withReturn(deleteInput).map(named('DeleteItem')),
  withProjection(key.map((Key) => ({ Key }))).map(named('GetItem')),
  queryInput.map(named('Query')),
  scanInput.map(named('Scan')),
  withProjection(keys.map((Keys) => ({ Keys }))).map(named('BatchGetItem')),
  requests.map((all) => ({ requests: all })).map(named('BatchWriteItem')),
  keys.map((all) => ({ TransactItems: all.map((Key) => ({ Get: { Key } })) })).map(named('TransactGetItems')),
  transactWrite.map(named('TransactWriteItems')),
);
