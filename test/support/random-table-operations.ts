import fc from 'fast-check';

type Input = Readonly<Record<string, unknown>>;

/** One random operation, without the name of the table. */
export interface Operation {
  readonly name:
    | 'get'
    | 'batchGet'
    | 'batchWrite'
    | 'query'
    | 'put'
    | 'update'
    | 'delete'
    | 'transactGet'
    | 'transactWrite';
  readonly input: Input;
}

/** Few keys, so operations meet on the same items. The last sort key is longer in UTF-8 than its order in UTF-16 suggests. */
const pk = fc.constantFrom('A#1', 'B#1', 'C#1');
const sk = fc.constantFrom('#', 'a', 'a#1', 'ab', 'b', 'é', '\uffee', '😀');
const key = fc.record({ pk, sk });
const small = fc.integer({ min: -3, max: 5 });
const anyValue = fc.oneof(
  small,
  fc.constantFrom('', 'x', 'xy', 'a long text'),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(small, fc.constant('x')), { maxLength: 3 }),
  fc.record({ x: small }, { requiredKeys: [] }),
  fc.constantFrom(Uint8Array.of(1), Uint8Array.of(1, 2)),
);

const attributes = fc.record(
  {
    n: small,
    v: small,
    s: fc.constantFrom('x', 'xy', 'y'),
    status: fc.constantFrom('open', 'closed'),
    any: anyValue,
    l: fc.array(small, { maxLength: 3 }),
    m: fc.record({ x: small, y: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
    large: fc.constantFrom('z'.repeat(900), 'z'.repeat(2_500), 'z'.repeat(5_000)),
    by1: fc.tuple(fc.constantFrom('P', 'Q'), fc.constantFrom('1', '2', '10')),
    by2: fc.tuple(fc.constantFrom('P', 'Q'), fc.constantFrom('1', '2')),
  },
  { requiredKeys: [] },
);
/** DynamoDB does not define the order of items with the same keys in an index, so their sort keys end with the item's own key. */
const item = fc.tuple(key, attributes).map(([at, { by1, by2, ...more }]) => ({
  ...more,
  ...at,
  ...(by1 && { by1pk: by1[0], by1sk: `${by1[1]}#${at.pk}${at.sk}` }),
  ...(by2 && { by2pk: by2[0], by2sk: `${by2[1]}#${at.pk}${at.sk}` }),
}));

/** The forms of the conditions that the project sends, and every other function and comparator once. */
const conditions = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  'v = :n',
  'v <> :n',
  'n < :n',
  'n <= :n',
  'n > :n',
  'n >= :n',
  's >= :s',
  '#status = :status',
  'NOT #status = :status',
  'attribute_not_exists(n) OR n < :n',
  'attribute_exists(pk) AND (n = :n OR attribute_not_exists(n))',
  'v = :n AND (n < :n OR s = :s)',
  '(attribute_not_exists(v) OR v > :n) AND #status = :status AND (attribute_not_exists(n) OR n < :n)',
  'n BETWEEN :low AND :n AND v < :n',
  'n IN (:low, :n)',
  'begins_with(s, :s)',
  'contains(s, :s)',
  'contains(l, :n)',
  'attribute_type(#any, :type)',
  'size(l) > :low',
  'size(s) < :n',
  'm.x = :n',
  'l[0] = :n',
  '#any = :any',
  '#any <> :any',
  '#any < :any',
  'm = :map',
];

const updates = [
  'SET n = :n',
  'SET n = n + :n',
  'SET n = n - :n, v = :low',
  'SET #status = :status, v = v + :n REMOVE s, l',
  'SET n = if_not_exists(n, :low) + :n',
  'SET #any = :any',
  'SET m.x = :n',
  'SET m.#status = :n',
  'SET l[1] = :n',
  'SET l = list_append(l, :list)',
  'SET by1pk = :s, by1sk = sk',
  'SET n = v, v = n',
  'REMOVE by1pk, by1sk',
  'REMOVE m.x, n',
  'REMOVE l[0]',
  'ADD n :n',
  'ADD n :n, v :low',
  'ADD s :n',
  'SET v = :n ADD n :n',
];

const allNames: Readonly<Record<string, string>> = { '#status': 'status', '#any': 'any' };
const allValues = fc.record({
  ':n': small,
  ':low': fc.integer({ min: -3, max: 0 }),
  ':s': fc.constantFrom('x', 'xy'),
  ':status': fc.constantFrom('open', 'closed'),
  ':type': fc.constantFrom('S', 'N', 'M', 'L', 'NULL', 'BOOL', 'B'),
  ':any': anyValue,
  ':list': fc.array(small, { maxLength: 2 }),
  ':map': fc.record({ x: small }),
});

/** DynamoDB refuses a request with names or values that its expressions do not use. */
function placeholders(values: Input, ...expressions: readonly (string | undefined)[]): Input {
  const used = new Set(expressions.join(' ').match(/[#:]\w+/g));
  const only = (all: Input) => Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  const [names, bound] = [only(allNames), only(values)];
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(bound).length > 0 && { ExpressionAttributeValues: bound }),
  };
}

const condition = fc.option(fc.constantFrom(...conditions), { nil: undefined });
const onFailure = fc.constantFrom('ALL_OLD', 'NONE');

const putInput = fc
  .tuple(item, condition, allValues, onFailure)
  .map(([Item, ConditionExpression, values, returned]) => ({
    Item,
    ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: returned }),
    ...placeholders(values, ConditionExpression),
  }));
const updateInput = fc
  .tuple(key, fc.constantFrom(...updates), condition, allValues, onFailure)
  .map(([Key, UpdateExpression, ConditionExpression, values, returned]) => ({
    Key,
    UpdateExpression,
    ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: returned }),
    ...placeholders(values, UpdateExpression, ConditionExpression),
  }));
const deleteInput = fc.tuple(key, condition, allValues).map(([Key, ConditionExpression, values]) => ({
  Key,
  ...(ConditionExpression && { ConditionExpression }),
  ...placeholders(values, ConditionExpression),
}));
const checkInput = fc
  .tuple(key, fc.constantFrom(...conditions), allValues)
  .map(([Key, ConditionExpression, values]) => ({
    Key,
    ConditionExpression,
    ...placeholders(values, ConditionExpression),
  }));

const sortConditions = ['', ' = :a', ' < :a', ' <= :a', ' > :a', ' >= :a', ' BETWEEN :a AND :b', 'begins_with'];
const indexNames = [undefined, 'by1', 'by2'] as const;

const queryInput = fc
  .tuple(
    fc.constantFrom(...indexNames),
    fc.constantFrom(...sortConditions),
    fc.tuple(pk, sk, sk, fc.constantFrom('P', 'Q'), fc.constantFrom('1', '2', '10')),
    fc.record({ Limit: fc.integer({ min: 1, max: 4 }), ScanIndexForward: fc.boolean() }, { requiredKeys: [] }),
    fc.record({ filter: fc.boolean(), project: fc.boolean(), consistent: fc.boolean(), start: fc.option(key) }),
  )
  .map(([IndexName, comparison, [partition, a, b, indexPartition, indexSort], page, more]) => {
    const [pkName, skName] = IndexName === undefined ? ['pk', 'sk'] : [`${IndexName}pk`, `${IndexName}sk`];
    const low = IndexName === undefined ? a : indexSort;
    const high = IndexName === undefined ? b : '2';
    const isOrdered = Buffer.compare(Buffer.from(low), Buffer.from(high)) <= 0;
    const bound = comparison === 'begins_with' ? ` AND begins_with(${skName}, :a)` : ` AND ${skName}${comparison}`;
    const KeyConditionExpression = `${pkName} = :pk${comparison === '' ? '' : bound}`;
    const values = {
      ':pk': IndexName === undefined ? partition : indexPartition,
      ':a': isOrdered ? low : high,
      ':b': isOrdered ? high : low,
      ':zero': 0,
    };
    const FilterExpression = more.filter ? 'n > :zero' : undefined;
    const isInside = IndexName === undefined && comparison === '' && more.start !== null;
    return {
      KeyConditionExpression,
      ...page,
      ...(IndexName === undefined ? { ConsistentRead: more.consistent } : { IndexName }),
      ...(FilterExpression && { FilterExpression }),
      ...(more.project && { ProjectionExpression: 'pk, sk, n' }),
      ...(isInside && { ExclusiveStartKey: { pk: partition, sk: more.start?.sk } }),
      ...placeholders(values, KeyConditionExpression, FilterExpression),
    };
  });

const returned = fc.constantFrom('NONE', 'ALL_OLD');
const withReturn = <Value extends object>(input: fc.Arbitrary<Value>, values: fc.Arbitrary<string> = returned) =>
  fc.tuple(input, values).map(([one, ReturnValues]) => ({ ...one, ReturnValues }));

const transactWrite = fc
  .uniqueArray(
    fc.oneof(
      putInput.map((Put) => ({ Put })),
      updateInput.map((Update) => ({ Update })),
      deleteInput.map((Delete) => ({ Delete })),
      checkInput.map((ConditionCheck) => ({ ConditionCheck })),
    ),
    { minLength: 1, maxLength: 4, selector: keyText },
  )
  .map((TransactItems) => ({ TransactItems }));

function keyText(write: object): string {
  const [input] = Object.values(write);
  const { pk: partition, sk: sort } = input.Item ?? input.Key;
  return JSON.stringify([partition, sort]);
}

const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) });

/** Any operation that the project uses, on few items. */
export const randomOperation: fc.Arbitrary<Operation> = fc.oneof(
  withReturn(putInput).map((input) => ({ name: 'put' as const, input })),
  withReturn(updateInput, fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW')).map((input) => ({
    name: 'update' as const,
    input,
  })),
  withReturn(deleteInput).map((input) => ({ name: 'delete' as const, input })),
  fc
    .tuple(key, fc.boolean())
    .map(([Key, ConsistentRead]) => ({ name: 'get' as const, input: { Key, ConsistentRead } })),
  queryInput.map((input) => ({ name: 'query' as const, input })),
  keys.map((Keys) => ({ name: 'batchGet' as const, input: { Keys, ConsistentRead: true } })),
  fc
    .uniqueArray(item, {
      minLength: 1,
      maxLength: 3,
      selector: ({ pk: one, sk: other }) => JSON.stringify([one, other]),
    })
    .map((items) => ({ name: 'batchWrite' as const, input: { items } })),
  keys.map((all) => ({ name: 'transactGet' as const, input: { TransactItems: all.map((Key) => ({ Get: { Key } })) } })),
  transactWrite.map((input) => ({ name: 'transactWrite' as const, input })),
);
