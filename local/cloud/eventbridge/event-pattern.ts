import { CloudError } from '../cloud-error.ts';
import { matchesWildcard } from '../iam/wildcard.ts';
import { isRecord } from '../template/intrinsics.ts';

/**
 * EventBridge's pattern language, which event source filters share. Patterns are compiled at the start, so a mistake
 * fails the start and not the first event.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export type EventMatcher = (event: unknown) => boolean;

/** Whether the values of a field satisfy the pattern. An absent field has no values. */
type ValuesTest = (values: readonly unknown[]) => boolean;

export function compileEventPattern(pattern: unknown): EventMatcher {
  if (!isRecord(pattern) || Object.keys(pattern).length === 0) {
    throw new CloudError('An event pattern must be an object with at least one field');
  }
  return compileObject(pattern, '');
}

function compileObject(pattern: Record<string, unknown>, path: string): EventMatcher {
  const tests = Object.entries(pattern).map(([key, rule]) =>
    key === '$or' ? compileAlternatives(rule, path) : compileField(key, rule, `${path}${key}`),
  );
  return (event) => tests.every((test) => test(event));
}

function compileAlternatives(rule: unknown, path: string): EventMatcher {
  if (!Array.isArray(rule) || rule.length < 2) throw invalid(`${path}$or`, 'needs a list of at least two patterns');
  const alternatives = rule.map((alternative) => {
    if (!isRecord(alternative)) throw invalid(`${path}$or`, 'needs patterns');
    return compileObject(alternative, path);
  });
  return (event) => alternatives.some((matches) => matches(event));
}

function compileField(key: string, rule: unknown, path: string): EventMatcher {
  if (isRecord(rule)) {
    const nested = compileObject(rule, `${path}.`);
    // A list of objects matches if one of them does.
    return (event) => {
      const values = fieldValues(event, key);
      return values.length === 0 ? nested({}) : values.some(nested);
    };
  }
  if (!Array.isArray(rule) || rule.length === 0) throw invalid(path, 'needs a list of values');
  const tests = rule.map((item) => compileItem(item, path));
  return (event) => {
    const values = fieldValues(event, key);
    return tests.some((test) => test(values));
  };
}

/** The values of a field: the items of a list, the single value, or none if the field is absent. */
function fieldValues(event: unknown, key: string): readonly unknown[] {
  if (!isRecord(event) || !Object.hasOwn(event, key)) return [];
  const value = event[key];
  return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
}

function compileItem(item: unknown, path: string): ValuesTest {
  if (item === null || ['string', 'number', 'boolean'].includes(typeof item)) {
    return (values) => values.includes(item);
  }
  if (!isRecord(item)) throw invalid(path, `does not accept ${JSON.stringify(item)}`);
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(item);
  if (others.length > 0) throw invalid(path, 'accepts one operator per item');
  if (operator === 'exists') {
    if (typeof operand !== 'boolean') throw invalid(path, 'needs true or false for exists');
    // Only leaves count: on AWS, exists ignores a field that contains an object.
    return (values) => values.some((value) => !isRecord(value)) === operand;
  }
  const test = compileOperator(operator, operand, path);
  return (values) => values.some(test);
}

function compileOperator(operator: string, operand: unknown, path: string): (value: unknown) => boolean {
  switch (operator) {
    case 'prefix':
    case 'suffix':
    case 'equals-ignore-case':
    case 'wildcard':
      return compileTextOperator(operator, operand, path);
    case 'numeric':
      return compileNumeric(operand, path);
    case 'anything-but':
      return compileAnythingBut(operand, path);
    default:
      throw invalid(path, `has the unsupported operator ${operator}`);
  }
}

function compileTextOperator(operator: string, operand: unknown, path: string): (value: unknown) => boolean {
  if ((operator === 'prefix' || operator === 'suffix') && isRecord(operand)) {
    const inner = operand['equals-ignore-case'];
    if (typeof inner !== 'string') throw invalid(path, `needs a string for ${operator}`);
    const test = compileTextOperator(operator, inner.toLowerCase(), path);
    return (value) => typeof value === 'string' && test(value.toLowerCase());
  }
  if (typeof operand !== 'string') throw invalid(path, `needs a string for ${operator}`);
  const test = textTest(operator, operand);
  return (value) => typeof value === 'string' && test(value);
}

function textTest(operator: string, operand: string): (value: string) => boolean {
  switch (operator) {
    case 'prefix':
      return (value) => value.startsWith(operand);
    case 'suffix':
      return (value) => value.endsWith(operand);
    case 'equals-ignore-case':
      return (value) => value.toLowerCase() === operand.toLowerCase();
    default:
      return (value) => matchesWildcard(operand, value);
  }
}

function compileNumeric(operand: unknown, path: string): (value: unknown) => boolean {
  if (!Array.isArray(operand) || operand.length === 0 || operand.length % 2 !== 0) {
    throw invalid(path, 'needs pairs of a comparison and a number for numeric');
  }
  const comparisons: ((value: number) => boolean)[] = [];
  for (let index = 0; index < operand.length; index += 2) {
    comparisons.push(compileComparison(operand[index], operand[index + 1], path));
  }
  return (value) => typeof value === 'number' && comparisons.every((compare) => compare(value));
}

function compileComparison(sign: unknown, limit: unknown, path: string): (value: number) => boolean {
  if (typeof limit !== 'number') throw invalid(path, 'needs a number to compare with');
  switch (sign) {
    case '=':
      return (value) => value === limit;
    case '<':
      return (value) => value < limit;
    case '<=':
      return (value) => value <= limit;
    case '>':
      return (value) => value > limit;
    case '>=':
      return (value) => value >= limit;
    default:
      throw invalid(path, `has the unknown comparison ${String(sign)}`);
  }
}

function compileAnythingBut(operand: unknown, path: string): (value: unknown) => boolean {
  if (isRecord(operand)) {
    const [[operator, excluded] = ['', undefined]] = Object.entries(operand);
    const tests = [excluded].flat().map((item) => compileTextOperator(operator, item, path));
    return (value) => !tests.some((test) => test(value));
  }
  const excluded: unknown[] = [operand].flat();
  return (value) => !isRecord(value) && !excluded.includes(value);
}

function invalid(path: string, problem: string): CloudError {
  return new CloudError(`The event pattern is not valid: ${path} ${problem}`);
}
