import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { MailerStack } from '../../examples/mailer/stack.ts';

it('the stack of the mailer is an API, a function, a table and a queue, without a finding of cdk-nag', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'gateline-mailer-stack-'));
  try {
    const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
    const variables = {
      API_URL: 'https://api.example.com',
      SHOP_URL: 'https://tickets.example.com',
      MAIL_FROM: 'tickets@example.com',
    };
    const stack = new MailerStack(app, 'Mailer', { variables });
    // A finding fails the synthesis.
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();
    const template = Template.fromStack(stack);
    for (const [type, count] of [
      ['AWS::ApiGatewayV2::Api', 1],
      ['AWS::Lambda::Function', 1],
      ['AWS::DynamoDB::GlobalTable', 1],
      ['AWS::SQS::Queue', 2],
      ['AWS::SES::ConfigurationSet', 1],
      ['AWS::SNS::Topic', 1],
      // What Gateline issues, and the key of addresses.
      ['AWS::SecretsManager::Secret', 2],
    ] as const)
      template.resourceCountIs(type, count);
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    expect(functions).toMatchObject([
      { Properties: { Handler: 'lambda.handler', Environment: { Variables: variables } } },
    ]);
    // Under another key, no address has bounced: it stays with the table.
    const generated = { Properties: { GenerateSecretString: { PasswordLength: 64 } }, DeletionPolicy: 'Retain' };
    template.hasResource('AWS::SecretsManager::Secret', generated);
    const policies = JSON.stringify(template.findResources('AWS::IAM::Policy'));
    expect(policies).not.toMatch(/dynamodb:Scan|"Resource":"\*"/);
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
