/**
 * The resource types that need no action on one machine, each with the reason. A type that is neither here nor among the
 * supported types fails the start: a silently ignored resource would be an unintended difference from AWS.
 */
export const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::KMS::Key': 'the table and the secrets are not encrypted on one machine',
  'AWS::SSM::Parameter': 'its value is passed to the stack that reads it',
  'AWS::CDK::Metadata': 'statistics for AWS about the constructs used',
  'AWS::Logs::LogGroup': 'the output of functions goes to onLog',
  'AWS::Logs::MetricFilter': 'no metrics are collected',
  'AWS::CloudWatch::Alarm': 'no metrics are collected, so there are no alarms',
  'AWS::CloudWatch::CompositeAlarm': 'no metrics are collected, so there are no alarms',
  'AWS::CloudWatch::Dashboard': 'no metrics are collected, so there is nothing to show',
  'AWS::SNS::Topic': 'topics are only for alarms, and there are none',
  'AWS::SNS::TopicPolicy': 'topics are only for alarms, and there are none',
  'AWS::SNS::Subscription': 'topics are only for alarms, and there are none',
  'AWS::IAM::Role': 'read by the proxy, which evaluates its policies',
  'AWS::IAM::Policy': 'merged into its roles',
  'AWS::IAM::ManagedPolicy': 'merged into the roles that refer to it',
  'AWS::Lambda::Permission': 'checked at the start for every route, rule and schedule',
  'AWS::Lambda::Version': 'there is only one version of a function, the synthesized one',
  'AWS::Lambda::Alias': 'resolves to its function, as there is only one version',
  'AWS::SQS::QueuePolicy': 'checked at the start for every rule that sends to the queue',
  'AWS::ApiGateway::Account': 'only configures the logs of API Gateway',
  'AWS::ApiGateway::Deployment': 'the routes of the template are always the deployed ones',
  'AWS::ApiGateway::Stage': 'its name is in the events, and the API server applies its throttle',
  'AWS::WAFv2::WebACL': 'the loopback address is not reachable from outside',
  'AWS::WAFv2::WebACLAssociation': 'the loopback address is not reachable from outside',
  'AWS::WAFv2::LoggingConfiguration': 'the loopback address is not reachable from outside',
  'AWS::CodeDeploy::Application': 'there are no gradual deployments',
  'AWS::CodeDeploy::DeploymentConfig': 'there are no gradual deployments',
  'AWS::CodeDeploy::DeploymentGroup': 'there are no gradual deployments',
};
