/**
 * The resource types that need nothing done for them on one machine, each with the reason. A type that stands neither here
 * nor among the types that are run stops the start: a resource that is silently left out would be a difference from AWS
 * that nobody decided on.
 */
export const inertTypes: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'statistics for AWS about the constructs used',
  'AWS::Logs::LogGroup': 'what functions print goes to onLog',
  'AWS::Logs::MetricFilter': 'nothing collects metrics here',
  'AWS::CloudWatch::Alarm': 'nothing collects metrics here, so nothing can raise an alarm',
  'AWS::CloudWatch::CompositeAlarm': 'nothing collects metrics here, so nothing can raise an alarm',
  'AWS::CloudWatch::Dashboard': 'nothing collects metrics here, so there is nothing to show',
  'AWS::SNS::Topic': 'topics carry alarms, and there are none here',
  'AWS::SNS::TopicPolicy': 'topics carry alarms, and there are none here',
  'AWS::SNS::Subscription': 'topics carry alarms, and there are none here',
  'AWS::IAM::Role': 'read by the proxy, which evaluates its policies',
  'AWS::IAM::Policy': 'merged into the roles it names',
  'AWS::IAM::ManagedPolicy': 'merged into the roles that name it',
  'AWS::Lambda::Permission': 'checked at the start for every route, rule and schedule',
  'AWS::Lambda::Version': 'there is only one version of a function here, the synthesized one',
  'AWS::Lambda::Alias': 'resolves to its function, as there is only one version',
  'AWS::SQS::QueuePolicy': 'checked at the start for every rule that sends to the queue',
  'AWS::ApiGateway::Account': 'only says where API Gateway writes its logs',
  'AWS::ApiGateway::Deployment': 'the routes of the template are always the deployed ones',
  'AWS::ApiGateway::Stage': 'gives its name to the events; throttling is not simulated',
  'AWS::WAFv2::WebACL': 'no stranger can reach a machine’s own loopback address',
  'AWS::WAFv2::WebACLAssociation': 'no stranger can reach a machine’s own loopback address',
  'AWS::CodeDeploy::Application': 'nothing is deployed gradually here',
  'AWS::CodeDeploy::DeploymentConfig': 'nothing is deployed gradually here',
  'AWS::CodeDeploy::DeploymentGroup': 'nothing is deployed gradually here',
};
