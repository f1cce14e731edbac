import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';

/** What the service stack must know of the state stack. */
export type StateValue =
  | 'TableName'
  | 'TableStreamArn'
  | 'BusName'
  | 'SecretArn'
  | 'CursorSecretArn'
  | 'LinkSecretArn'
  | 'WebhookSecretArn'
  | 'StripeKeyArn'
  | 'StripeWebhookSecretArn'
  | 'AppleWalletArn'
  | 'GoogleWalletArn'
  | 'AlarmTopicArn'
  | 'TicketTopicArn';

/**
 * Publishes values of the state stack as SSM parameters. A CloudFormation export could not change while the service stack uses
 * it, and a restored table or a changed stream must be able to change it (ADR 30).
 */
export function publishState(stack: Stack, stage: string, values: Readonly<Record<StateValue, string>>): void {
  for (const [name, stringValue] of Object.entries(values)) {
    new StringParameter(stack, `${name}Parameter`, { parameterName: parameterName(stage, name), stringValue });
  }
}

/** Reads a value of the state stack. CloudFormation does so at every deployment, also when the template has not changed. */
export function readState(stack: Stack, stage: string, name: StateValue): string {
  const type = 'AWS::SSM::Parameter::Value<String>';
  return new CfnParameter(stack, name, { type, default: parameterName(stage, name) }).valueAsString;
}

function parameterName(stage: string, name: string): string {
  return `/gateline/${stage}/${name}`;
}
