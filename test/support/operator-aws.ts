import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { testEndpoint } from './table.ts';

export interface OperatorFunction {
  reserved: number;
  /** How it answers an invocation: its own error, or the refusal of Lambda. */
  fails?: 'error' | 'refused';
  readonly tags: Map<string, string>;
}

export interface OperatorAws {
  /** The outputs of the deployed stacks, by the stack's name. */
  stacks: Record<string, Readonly<Record<string, string>>>;
  /** The functions of the service stack, by the id of their registry entry. */
  readonly functions: Map<string, OperatorFunction>;
  /** What was invoked, by name and qualifier, with the payload. */
  readonly invocations: { readonly target: string; readonly payload: string }[];
  /** The texts of the secrets, by name. */
  readonly secrets: Map<string, string>;
  /** The keys that encrypt them, by name; none for the key that AWS manages. */
  readonly keys: Map<string, string>;
  /** Sets the operator's environment, as every AWS tool reads it, until `vi.unstubAllEnvs()`. */
  stubEnvironment(): void;
  stop(): Promise<void>;
}

/** The parts of CloudFormation, Secrets Manager and Lambda that the CLI calls with the operator's credentials. */
export async function startOperatorAws(): Promise<OperatorAws> {
  const secrets = new Map<string, string>();
  const keys = new Map<string, string>();
  const functions: OperatorAws['functions'] = new Map();
  const invocations: OperatorAws['invocations'] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = /^secretsmanager\.(\w+)$/.exec(String(request.headers['x-amz-target']))?.[1];
    if (/\/(functions|tags)(\/|\?|$)/.test(request.url ?? '')) answerLambda(request, body, response, aws);
    else if (body.includes('Action=ListStackResources')) answerResources(response, functions);
    else if (operation === undefined) answerDescribeStacks(body, response, aws.stacks);
    else {
      const input: SecretInput = JSON.parse(body);
      if (input.KmsKeyId !== undefined) keys.set(input.SecretId ?? input.Name ?? '', input.KmsKeyId);
      answerSecret(operation, input, response, secrets);
    }
  });
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  const aws: OperatorAws = {
    stacks: {},
    secrets,
    functions,
    keys,
    invocations,
    stubEnvironment() {
      vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', endpoint);
      vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', endpoint);
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', endpoint);
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', testEndpoint());
      vi.stubEnv('AWS_REGION', 'eu-west-1');
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    },
    stop: () => closeServer(server),
  };
  return aws;
}

interface SecretInput {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly SecretString?: string;
  readonly KmsKeyId?: string;
}

function answerSecret(
  operation: string,
  { SecretId, Name, SecretString }: SecretInput,
  response: ServerResponse<IncomingMessage>,
  secrets: Map<string, string>,
): void {
  const name = SecretId ?? Name ?? '';
  const known = secrets.get(name);
  const answer = (status: number, document: object): void => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(document));
  };
  if (operation === 'CreateSecret' ? known !== undefined : known === undefined) {
    answer(400, { __type: known === undefined ? 'ResourceNotFoundException' : 'ResourceExistsException' });
    return;
  }
  if (operation !== 'GetSecretValue') secrets.set(name, SecretString ?? '');
  answer(200, { ARN: name, Name: name, VersionId: randomUUID(), SecretString: secrets.get(name) });
}

/** Invoke, ListFunctions, GetFunction, PutFunctionConcurrency, TagResource and UntagResource. The name of a function is the id of its entry. */
function answerLambda(
  { method, url = '' }: IncomingMessage,
  body: string,
  response: ServerResponse<IncomingMessage>,
  aws: OperatorAws,
): void {
  const { functions } = aws;
  if (url.includes('/invocations')) {
    answerInvoke(url, body, response, aws);
    return;
  }
  if (/^\/2015-03-31\/functions\/?(\?|$)/.test(url)) {
    answerList(response, functions);
    return;
  }
  const { pathname, searchParams } = new URL(url, 'http://lambda');
  const id = /(?:functions\/|function:)([\w-]+)/.exec(decodeURIComponent(pathname))?.[1] ?? '';
  const found = functions.get(id);
  if (found === undefined) {
    response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}');
    return;
  }
  if (method === 'PUT') found.reserved = JSON.parse(body).ReservedConcurrentExecutions;
  if (method === 'POST') {
    for (const [key, value] of Object.entries(JSON.parse(body).Tags)) found.tags.set(key, String(value));
  }
  if (method === 'DELETE') for (const key of searchParams.getAll('tagKeys')) found.tags.delete(key);
  const document = {
    Configuration: { FunctionArn: `arn:aws:lambda:eu-west-1:123456789012:function:${id}` },
    Concurrency: { ReservedConcurrentExecutions: found.reserved },
    Tags: Object.fromEntries(found.tags),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** The name and the description of a function begin with the id of its entry. */
function answerList(response: ServerResponse<IncomingMessage>, functions: OperatorAws['functions']): void {
  const Functions = [...functions.keys()].map((name) => ({
    FunctionName: name,
    Description: `${name.replace(/^Gateline-\w+-service-/, '')}: what it does`,
  }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ Functions }));
}

function answerInvoke(
  url: string,
  payload: string,
  response: ServerResponse<IncomingMessage>,
  { functions, invocations }: OperatorAws,
): void {
  const { pathname, searchParams } = new URL(url, 'http://lambda');
  const [, name = ''] = /functions\/(.+)\/invocations/.exec(decodeURIComponent(pathname)) ?? [];
  const qualifier = searchParams.get('Qualifier');
  invocations.push({ target: qualifier === null ? name : `${name}:${qualifier}`, payload });
  const fails = functions.get(name)?.fails;
  if (fails === 'refused') response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}');
  else response.writeHead(200, fails === 'error' ? { 'x-amz-function-error': 'Unhandled' } : {}).end('""');
}

function answerResources(response: ServerResponse<IncomingMessage>, functions: OperatorAws['functions']): void {
  const members = [...functions.keys()].map((id) => {
    const logicalId = `${id.replaceAll('-', '')}Function0A1B2C3D`;
    return `<member><ResourceType>AWS::Lambda::Function</ResourceType><LogicalResourceId>${logicalId}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId></member>`;
  });
  const result = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.end(
    xml(
      `<ListStackResourcesResponse><ListStackResourcesResult>${result}</ListStackResourcesResult></ListStackResourcesResponse>`,
    ),
  );
}

const xml = (body: string): string => `<?xml version="1.0"?>${body}`;

function answerDescribeStacks(
  body: string,
  response: ServerResponse<IncomingMessage>,
  stacks: OperatorAws['stacks'],
): void {
  const name = new URLSearchParams(body).get('StackName') ?? '';
  const outputs = stacks[name];
  response.writeHead(outputs === undefined ? 400 : 200, { 'content-type': 'text/xml' });
  response.end(outputs === undefined ? stackMissing(name) : stackWith(name, outputs));
}

function stackMissing(name: string): string {
  const error = `<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message>`;
  return xml(`<ErrorResponse><Error>${error}</Error><RequestId>1</RequestId></ErrorResponse>`);
}

function stackWith(name: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value.replaceAll('"', '&quot;')}</OutputValue></member>`,
  );
  const stack = `<member><StackName>${name}</StackName><EnableTerminationProtection>${name === 'Gateline-prod-state'}</EnableTerminationProtection><Outputs>${members.join('')}</Outputs></member>`;
  const result = `<DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult>`;
  return xml(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`);
}
