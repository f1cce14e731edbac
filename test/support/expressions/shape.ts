import { Tokens } from '../../../local/cloud/dynamodb/model/tokens.ts';
import { fieldOf, isItem, typeOf } from '../../../local/cloud/dynamodb/model/values.ts';

type Part = Readonly<Record<string, unknown>>;

/** What is the content of a request, not its shape. */
const content = new Set(
  `TableName Item Key Keys RequestItems TransactItems ClientRequestToken ReturnConsumedCapacity
  ExpressionAttributeNames ExpressionAttributeValues`.split(/\s+/),
);
const expressions: Readonly<Record<string, (tokens: readonly string[]) => readonly string[]>> = {
  ConditionExpression: (tokens) => [chain(tokens)],
  FilterExpression: (tokens) => [chain(tokens)],
  // The keys of the table and of every index have the same shape.
  KeyConditionExpression: (tokens) => [chain(tokens.map((token) => token.replace(/^by\d/, '')))],
  UpdateExpression: actions,
  ProjectionExpression: (tokens) => splitAt(tokens, ',').map((path) => path.join(' ')),
};

/**
 * The shapes of the parameters of a request: expressions with `a` for every attribute that is not a key, and `:` and its type for every
 * value. Actions of an update and paths of a projection do not depend on each other, so each is a shape of its own.
 */
export function shapesOf(operation: string, input: Part): readonly string[] {
  return partsOf(operation, input).flatMap(([name, part]) =>
    Object.entries(part).flatMap(([parameter, value]) => {
      if (content.has(parameter) || value === undefined) return [];
      // Where a Scan continues is the table's own order: only a whole one can be compared.
      if (operation === 'Scan' && parameter === 'ExclusiveStartKey') return [];
      if (parameter in expressions) return expressionShapes(parameter, String(value), part);
      const isChoice = ['string', 'boolean'].includes(typeof value) && parameter !== 'IndexName';
      return [`${name}: ${parameter}${isChoice ? `=${value}` : ''}`];
    }),
  );
}

const known = new Map<string, readonly string[]>();

/** Tests send the same few hundred expressions over and over. */
function expressionShapes(parameter: string, expression: string, part: Part): readonly string[] {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = part;
  const types = isItem(values) ? Object.entries(values).map(([name, value]) => `${name}${typeOf(value)}`) : [];
  const key = `${parameter} ${expression} ${JSON.stringify(names)} ${types.join()}`;
  const found =
    known.get(key) ?? expressions[parameter]?.(abstract(expression, part)).map((shape) => `${parameter}: ${shape}`);
  known.set(key, found ?? []);
  return found ?? [];
}

/** The parts of a request that have expressions. */
function partsOf(operation: string, input: Part): readonly (readonly [string, Part])[] {
  const writes: Part[] = Array.isArray(input.TransactItems) ? input.TransactItems : [];
  const tables = isItem(input.RequestItems) ? Object.values(input.RequestItems) : [];
  const parts = [
    ...writes.flatMap((write) => Object.entries(write)),
    ...tables.filter((table) => !Array.isArray(table)).map((table) => [operation, table] as const),
  ];
  return [[operation, input], ...parts.flatMap(([kind, part]) => (isItem(part) ? [[kind, part] as const] : []))];
}

const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);

function abstract(expression: string, part: Part): readonly string[] {
  const tokens = new Tokens(expression);
  const shape: string[] = [];
  while (!tokens.isAtEnd) {
    const token = tokens.take();
    if (token.startsWith(':')) shape.push(`:${typeOf(fieldOf(part.ExpressionAttributeValues, token))}`);
    else if (token.startsWith('#')) shape.push(attribute(String(fieldOf(part.ExpressionAttributeNames, token))));
    else if (keywords.has(token.toUpperCase())) shape.push(token.toUpperCase());
    else shape.push(/^[A-Za-z]/.test(token) && tokens.peek() !== '(' ? attribute(token) : token);
  }
  return shape;
}

/** All indexes are alike. */
const attribute = (name: string): string => (/^(by\d)?[ps]k$/.test(name) ? name.replace(/^by\d/, 'by1') : 'a');

/** Equal neighbours of a chain are written once, so that the shape does not depend on the number of values. */
function chain(tokens: readonly string[]): string {
  for (const operator of ['OR', 'AND', ',']) {
    const parts = splitAt(tokens, operator);
    if (parts.length === 1) continue;
    const shapes = parts.map(chain);
    return shapes.filter((shape, index) => shape !== shapes[index - 1]).join(` ${operator} `);
  }
  const [open, close] = [tokens.indexOf('('), tokens.lastIndexOf(')')];
  if (open === -1) return tokens.join(' ');
  return [...tokens.slice(0, open + 1), chain(tokens.slice(open + 1, close)), ...tokens.slice(close)].join(' ');
}

function actions(tokens: readonly string[]): readonly string[] {
  const clauses: string[][] = [];
  for (const token of tokens) {
    if (keywords.has(token)) clauses.push([token]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.flatMap(([clause, ...rest]) => splitAt(rest, ',').map((action) => [clause, ...action].join(' ')));
}

/** Splits at an operator outside of parentheses. The AND of BETWEEN belongs to its operands. */
function splitAt(tokens: readonly string[], operator: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  let isBetween = false;
  for (const token of tokens) {
    depth += Number(token === '(') - Number(token === ')');
    if (token === operator && depth === 0 && !(token === 'AND' && isBetween)) parts.push([]);
    else parts.at(-1)?.push(token);
    if (depth === 0 && (token === 'BETWEEN' || token === 'AND')) isBetween = token === 'BETWEEN';
  }
  return parts;
}
