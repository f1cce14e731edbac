import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

/** The limits of CloudFormation and, without a quota increase, of API Gateway. */
const maxResources = 500;
const maxApiResources = 300;
/** Lambda's limit on the unpacked code. */
const maxCodeBytes = 250 * 1024 * 1024;

export function checkLimits({ template, ofType }: RehearsedStack): string[] {
  const count = Object.keys(template.Resources).length;
  const apiResources = ofType('AWS::ApiGateway::Resource').length;
  return [
    ...(count > maxResources ? [`The stack has ${count} resources. CloudFormation allows ${maxResources}.`] : []),
    ...(apiResources > maxApiResources
      ? [`The API has ${apiResources} resources. API Gateway allows ${maxApiResources}.`]
      : []),
  ];
}

export function checkReferences({ template }: RehearsedStack): string[] {
  const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters)]);
  const isKnown = (name: string): boolean => known.has(name) || name.startsWith('AWS::');
  const places: [string, string[]][] = [
    ...Object.entries(template.Resources).map(([id, { Properties, DependsOn }]): [string, string[]] => [
      id,
      [...referencesIn(Properties), ...[DependsOn].flat()],
    ]),
    ...Object.entries(template.Outputs).map(([id, output]): [string, string[]] => [
      `output ${id}`,
      referencesIn(output),
    ]),
  ];
  return places.flatMap(([place, names]) =>
    names.filter((name) => !isKnown(name)).map((name) => `${place} refers to ${name}, which is not in the template.`),
  );
}

export function checkCode({ functions }: RehearsedStack): string[] {
  return functions.flatMap(({ id, code }) => {
    if (code === undefined) return [`The code of ${id} is not in the assembly.`];
    const bytes = readdirSync(code).reduce((sum, file) => sum + statSync(join(code, file)).size, 0);
    if (bytes === 0) return [`The code of ${id} is empty.`];
    return bytes > maxCodeBytes ? [`The code of ${id} exceeds Lambda's limit: ${bytes} bytes.`] : [];
  });
}
