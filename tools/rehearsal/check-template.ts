import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { typedKeys } from '../../shared/domain/typed-keys.ts';
import { type RehearsedStack, referencesIn } from './rehearsed-stack.ts';

/** CloudFormation's limits for one stack. */
const limits = { resources: 500, parameters: 200, outputs: 200, bytes: 1_000_000 };
/** A stack that is nearer to a limit than this needs a decision before the next operation does not fit. */
const room = 0.8;
/** The limit of API Gateway, without a quota increase. */
const maxApiResources = 300;
/** The limit of IAM for all inline policies of a role, without white space. */
const maxInlinePolicyCharacters = 10_240;
/** The length of an ARN that the template only refers to: a function name of 64 characters, with an alias. */
const longestFunctionArn = `arn:aws:lambda:ap-southeast-2:123456789012:function:${'x'.repeat(64)}:live`;
/** Lambda's limit on the unpacked code. */
const maxCodeBytes = 250 * 1024 * 1024;

export function checkLimits(stack: RehearsedStack): string[] {
  return [...checkStackLimits(stack), ...checkApi(stack), ...checkOperationIds(stack), ...checkInvokeRoles(stack)];
}

function checkStackLimits({ stacks }: RehearsedStack): string[] {
  return stacks.flatMap(({ name, template, bytes }) => {
    const counts = {
      resources: Object.keys(template.Resources).length,
      parameters: Object.keys(template.Parameters).length,
      outputs: Object.keys(template.Outputs).length,
      bytes,
    };
    return typedKeys(counts)
      .filter((kind) => counts[kind] > limits[kind] * room)
      .map(
        (kind) =>
          `The stack ${name} has ${counts[kind]} of ${limits[kind]} ${kind} that CloudFormation allows, and this check keeps a fifth free. Split it: operations by a new tag (shared/operations/tags.ts), anything else into a nested stack of its own (lib/stacks).`,
      );
  });
}

const Method = v.looseObject({ operationId: v.optional(v.string()) });
const Body = v.looseObject({ paths: v.record(v.string(), v.record(v.string(), Method)) });

/** API Gateway has one resource for each part of a path. */
function checkApi({ ofType }: RehearsedStack): string[] {
  return ofType('AWS::ApiGateway::RestApi').flatMap(({ Properties }) => {
    const paths = Object.keys(v.parse(Body, Properties.Body).paths);
    const resources = new Set(
      paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))),
    );
    return resources.size > maxApiResources
      ? [
          `The API has ${resources.size} resources. API Gateway allows ${maxApiResources}: request a higher quota (Resources per API) before you deploy, then raise the limit here.`,
        ]
      : [];
  });
}

/** OpenAPI requires unique ids, and API Gateway imports the body. */
function checkOperationIds({ ofType }: RehearsedStack): string[] {
  return ofType('AWS::ApiGateway::RestApi').flatMap(({ Properties }) => {
    const methods = Object.values(v.parse(Body, Properties.Body).paths).flatMap((path) => Object.values(path));
    const ids = methods.flatMap(({ operationId }) => operationId ?? []);
    const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
    return [...repeated].map((id) => `Two methods of the API have the operationId ${id}: give each its own, or none.`);
  });
}

/** A role that API Gateway assumes lists all functions of its stack, and the list has a limit. */
function checkInvokeRoles({ ofType }: RehearsedStack): string[] {
  return ofType('AWS::IAM::Role')
    .filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('"apigateway.amazonaws.com"'),
    )
    .flatMap(({ logicalId, Properties }) => {
      const targets = referencesIn(Properties.Policies).length;
      const characters = targets * (longestFunctionArn.length + 3);
      return characters > maxInlinePolicyCharacters * room
        ? [
            `The policy of ${logicalId} lists ${targets} functions, about ${characters} of the ${maxInlinePolicyCharacters} characters that IAM allows. Give some of its operations a new tag (shared/operations/tags.ts).`,
          ]
        : [];
    });
}

export function checkReferences({ template }: RehearsedStack): string[] {
  const isKnown = (name: string): boolean => name in template.Resources || name.startsWith('AWS::');
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
    names.filter((name) => !isKnown(name)).map((name) => `${place} refers to ${name}, which is in no stack.`),
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
