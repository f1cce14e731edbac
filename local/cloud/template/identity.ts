import { localAccountId } from './assembly.ts';

/** The values of `Ref` and `Fn::GetAtt` of one resource. */
export interface Identity {
  ref: string;
  attributes: Record<string, string>;
}

export interface IdentityRequest {
  logicalId: string;
  /** The name that CloudFormation gives it if the template does not, without the random part. */
  defaultName: string;
  region: string;
  /** The endpoint in queue URLs, which is the proxy. */
  sqsEndpoint: string;
  /** A resolved property of the resource, or `undefined` if it is not set. */
  property(name: string): string | undefined;
}

type IdentityOf = (request: IdentityRequest) => Identity;

/** The name from a property, or one like CloudFormation's but without its random part, so it is stable across restarts. */
function nameOf(request: IdentityRequest, property: string, longest: number): string {
  const given = request.property(property);
  if (given !== undefined) return given;
  const full = request.defaultName;
  // The hash at the end of a CDK logical id keeps shortened names unique.
  return full.length <= longest ? full : full.slice(0, longest - 9) + full.slice(-9);
}

const arn = (service: string, region: string, rest: string) => `arn:aws:${service}:${region}:${localAccountId}:${rest}`;

/** Types with a name property, whose Ref is that name and whose ARN contains it. */
function named(service: string, property: string, longest: number, prefix: string): IdentityOf {
  return (request) => {
    const name = nameOf(request, property, longest);
    return { ref: name, attributes: { Arn: arn(service, request.region, `${prefix}${name}`) } };
  };
}

const table: IdentityOf = (request) => {
  const name = nameOf(request, 'TableName', 255);
  const tableArn = arn('dynamodb', request.region, `table/${name}`);
  return {
    ref: name,
    // The label of a real stream is its creation time. A fixed label lets policies refer to it before the table exists.
    attributes: { Arn: tableArn, StreamArn: `${tableArn}/stream/2020-01-01T00:00:00.000`, TableId: name },
  };
};

const queue: IdentityOf = (request) => {
  const name = nameOf(request, 'QueueName', 80);
  const url = `${request.sqsEndpoint}/${localAccountId}/${name}`;
  return { ref: url, attributes: { Arn: arn('sqs', request.region, name), QueueName: name, QueueUrl: url } };
};

const role: IdentityOf = (request) => {
  const name = nameOf(request, 'RoleName', 64);
  return { ref: name, attributes: { Arn: arn('iam', '', `role/${name}`), RoleId: request.logicalId } };
};

const managedPolicy: IdentityOf = (request) => {
  const policyArn = arn('iam', '', `policy/${nameOf(request, 'ManagedPolicyName', 128)}`);
  return { ref: policyArn, attributes: { PolicyArn: policyArn } };
};

const rule: IdentityOf = (request) => {
  const name = nameOf(request, 'Name', 64);
  const bus = request.property('EventBusName')?.split('/').at(-1);
  const path = bus === undefined || bus === 'default' ? name : `${bus}/${name}`;
  return { ref: path.replace('/', '|'), attributes: { Arn: arn('events', request.region, `rule/${path}`) } };
};

const secret: IdentityOf = (request) => {
  // Secrets Manager ends every ARN with six random characters. A fixed suffix keeps the ARN stable across restarts.
  const secretArn = arn('secretsmanager', request.region, `secret:${nameOf(request, 'Name', 256)}-local1`);
  return { ref: secretArn, attributes: { Id: secretArn } };
};

const topic: IdentityOf = (request) => {
  const name = nameOf(request, 'TopicName', 256);
  const topicArn = arn('sns', request.region, name);
  return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
};

/** Versions and aliases: the ARN of the function with a qualifier. */
function qualified(qualifier: (request: IdentityRequest) => string, attributes: readonly string[]): IdentityOf {
  return (request) => {
    const target = request.property('FunctionName') ?? request.logicalId;
    const functionArn = target.startsWith('arn:') ? target : arn('lambda', request.region, `function:${target}`);
    const ref = `${functionArn}:${qualifier(request)}`;
    return { ref, attributes: Object.fromEntries(attributes.map((name) => [name, name === 'Version' ? '1' : ref])) };
  };
}

const restApi: IdentityOf = ({ logicalId }) => ({
  ref: logicalId,
  attributes: { RestApiId: logicalId, RootResourceId: `${logicalId}/` },
});

const schedule: IdentityOf = (request) => {
  const name = nameOf(request, 'Name', 64);
  return { ref: name, attributes: { Arn: arn('scheduler', request.region, `schedule/default/${name}`) } };
};

const identities: Readonly<Record<string, IdentityOf>> = {
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::Lambda::Function': named('lambda', 'FunctionName', 64, 'function:'),
  'AWS::Lambda::Version': qualified(() => '1', ['FunctionArn', 'Version']),
  'AWS::Lambda::Alias': qualified((request) => request.property('Name') ?? 'live', ['AliasArn']),
  'AWS::Lambda::EventSourceMapping': ({ logicalId }) => ({ ref: logicalId, attributes: { Id: logicalId } }),
  'AWS::IAM::Role': role,
  'AWS::IAM::ManagedPolicy': managedPolicy,
  'AWS::ApiGateway::RestApi': restApi,
  'AWS::ApiGateway::Deployment': ({ logicalId }) => ({ ref: logicalId, attributes: { DeploymentId: logicalId } }),
  'AWS::ApiGateway::Stage': (request) => ({ ref: nameOf(request, 'StageName', 128), attributes: {} }),
  'AWS::Events::EventBus': named('events', 'Name', 256, 'event-bus/'),
  'AWS::Events::Rule': rule,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::SQS::Queue': queue,
  'AWS::SecretsManager::Secret': secret,
  'AWS::Logs::LogGroup': named('logs', 'LogGroupName', 512, 'log-group:'),
  'AWS::CloudWatch::Alarm': named('cloudwatch', 'AlarmName', 255, 'alarm:'),
  'AWS::CloudWatch::CompositeAlarm': named('cloudwatch', 'AlarmName', 255, 'alarm:'),
  'AWS::SNS::Topic': topic,
  'AWS::KMS::Key': ({ logicalId, region }) => ({
    ref: logicalId,
    attributes: { Arn: arn('kms', region, `key/${logicalId}`), KeyId: logicalId },
  }),
};

/** Types that are only referred to by Ref. */
const plain: IdentityOf = ({ defaultName }) => ({ ref: defaultName, attributes: {} });

export function identityOf(type: string, request: IdentityRequest): Identity {
  return (identities[type] ?? plain)(request);
}
