import type { Credentials } from '../iam/callers.ts';
import type { FunctionDefinition } from './function-definition.ts';

export interface EnvironmentOptions {
  region: string;
  credentials: Credentials;
  proxyEndpoint: string;
  /** Environment variables that only the local run adds to every function. */
  extraVariables: Readonly<Record<string, string>>;
}

/** The whole environment of an instance. It contains nothing of the environment of this process, as on AWS. */
export function environmentOf(definition: FunctionDefinition, options: EnvironmentOptions): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    LAMBDA_TASK_ROOT: definition.codeFolder,
    _HANDLER: definition.handler,
    AWS_REGION: options.region,
    AWS_DEFAULT_REGION: options.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroupName,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_ACCESS_KEY_ID: options.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: 'local',
    // Without these files, the SDK would read the profile of the developer.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    // This endpoint receives the calls to all other services. The proxy rejects them, so no call leaves this machine.
    AWS_ENDPOINT_URL: options.proxyEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: options.proxyEndpoint,
    AWS_ENDPOINT_URL_SQS: options.proxyEndpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: options.proxyEndpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: options.proxyEndpoint,
    ...definition.variables,
    ...options.extraVariables,
  };
}
