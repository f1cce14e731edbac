import { GetLoggingConfigurationCommand, GetWebACLForResourceCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { type Check, failed, notProvable, proved } from '../check.ts';
import { ofType } from '../target.ts';
import { restApiId } from './gateway.ts';

/** The firewall is only read: to be blocked takes 60,000 requests in five minutes. */
export const firewallCheck: Check = {
  id: 'firewall',
  assumption: 'The firewall is in front of the API, with its rate rules and its log.',
  async run(target) {
    if (target.kind !== 'aws') return notProvable('Only AWS has the firewall.');
    if (ofType(target, 'AWS::WAFv2::WebACL').length === 0) return notProvable(`${target.stage} has no firewall.`);
    const client = new WAFV2Client({});
    try {
      const [, partition = 'aws'] = ofType(target, 'AWS::SNS::Topic')[0]?.physicalId.split(':') ?? [];
      const region = await client.config.region();
      const ResourceArn = `arn:${partition}:apigateway:${region}::/restapis/${restApiId(target)}/stages/${target.stage}`;
      const { WebACL } = await client.send(new GetWebACLForResourceCommand({ ResourceArn }));
      if (WebACL === undefined) return failed('The stage of the API has no web ACL.', 'Deploy the service stack.');
      const rules = (WebACL.Rules ?? []).filter(({ Statement }) => Statement?.RateBasedStatement !== undefined);
      if (rules.length < 2)
        return failed(`The web ACL has ${rules.length} rate rules.`, 'See lib/constructs/firewall.ts.');
      await client.send(new GetLoggingConfigurationCommand({ ResourceArn: WebACL.ARN }));
      return proved(`${rules.map(({ Name }) => Name).join(' and ')}, with a log. Nothing was blocked for this test.`);
    } finally {
      client.destroy();
    }
  },
};
