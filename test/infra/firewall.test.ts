import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { windowRules } from '../../shared/domain/auth/rate-windows.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('prod');

const Rule = v.looseObject({
  Name: v.string(),
  Action: v.unknown(),
  Statement: v.object({
    RateBasedStatement: v.object({
      Limit: v.number(),
      AggregateKeyType: v.string(),
      ScopeDownStatement: v.unknown(),
    }),
  }),
});
const [acl] = stack.ofType('AWS::WAFv2::WebACL');
const all = v.parse(v.array(v.looseObject({ Name: v.string() })), acl?.Properties.Rules);
const rules = v.parse(
  v.array(Rule),
  all.filter(({ Name }) => Name !== 'ip-reputation'),
);
const rateOf = (name: string) => {
  const rule = rules.find(({ Name }) => Name === name);
  if (rule === undefined) throw new Error(`The firewall has no rule ${name}.`);
  return rule.Statement.RateBasedStatement;
};
const [other, scans] = [rateOf('flood-from-one-address'), rateOf('scan-flood-from-one-address')];

describe('firewall of the production stage', () => {
  it('the firewall counts by address only, and blocks', () => {
    expect(rules).toHaveLength(2);
    for (const { Action, Statement } of rules) {
      expect(Action).toEqual({ Block: {} });
      expect(Statement.RateBasedStatement.AggregateKeyType).toBe('IP');
    }
  });

  it('the firewall blocks addresses that AWS knows to attack others, but no scan of a gate', () => {
    const reputation = all.find(({ Name }) => Name === 'ip-reputation');
    expect(reputation).toMatchObject({
      OverrideAction: { None: {} },
      Statement: {
        ManagedRuleGroupStatement: {
          VendorName: 'AWS',
          Name: 'AWSManagedRulesAmazonIpReputationList',
          ScopeDownStatement: { NotStatement: { Statement: scans.ScopeDownStatement } },
        },
      },
    });
  });

  it('an alarm counts only what the limits block: the list of attackers blocks somebody at any time', () => {
    const watched = stack
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ Properties }) => Properties.Namespace === 'AWS/WAFV2')
      .map(({ Properties }) => JSON.stringify(Properties.Dimensions).match(/gateline-prod-[a-z-]+/)?.[0]);
    expect(watched.toSorted()).toEqual(['gateline-prod-flood', 'gateline-prod-scan-flood']);
  });

  it('the firewall lets the burst of a whole stadium behind one address pass, and counts its scans separately', () => {
    const burstPerSecond = 330;
    expect(other.Limit).toBeLessThan(burstPerSecond * 300);
    expect(scans.Limit).toBeGreaterThan(2 * burstPerSecond * 300);
    expect(scans.Limit).toBeGreaterThanOrEqual(60 * 5 * windowRules.gate_minute.limit);
    expect(other.ScopeDownStatement).toEqual({ NotStatement: { Statement: scans.ScopeDownStatement } });
  });

  it('the firewall recognises the scan route, with and without the name of the stage', () => {
    const { AndStatement } = v.parse(
      v.object({
        AndStatement: v.object({
          Statements: v.tuple([
            v.looseObject({ ByteMatchStatement: v.looseObject({ SearchString: v.string() }) }),
            v.looseObject({ RegexMatchStatement: v.looseObject({ RegexString: v.string() }) }),
          ]),
        }),
      }),
      scans.ScopeDownStatement,
    );
    const [method, path] = AndStatement.Statements;
    expect(method.ByteMatchStatement.SearchString).toBe('POST');
    const isScan = (text: string) => new RegExp(path.RegexMatchStatement.RegexString).test(text);
    expect(['/prod/v1/events/123/scans', '/v1/events/123/scans', '/v1/events/123/scans/'].map(isScan)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['/v1/events/123/orders', '/v1/events/1/2/scans', '/v1/members', '/v1/scans/x'].map(isScan)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('the log of the firewall is on, and contains no key, no token and no query', () => {
    const [logging] = stack.ofType('AWS::WAFv2::LoggingConfiguration');
    const headers = ['authorization', 'x-sso-token', 'x-basket-token'];
    expect(logging?.Properties.RedactedFields).toEqual([
      ...headers.map((Name) => ({ SingleHeader: { Name } })),
      { QueryString: {} },
    ]);
    expect(acl?.Properties.DataProtectionConfig).toEqual({
      DataProtections: [
        { Action: 'SUBSTITUTION', Field: { FieldType: 'SINGLE_HEADER', FieldKeys: headers } },
        { Action: 'SUBSTITUTION', Field: { FieldType: 'QUERY_STRING' } },
      ],
    });
    expect(JSON.stringify(acl?.Properties)).not.toContain('"SampledRequestsEnabled":true');
    const references = referencesIn(logging?.Properties.LogDestinationConfigs);
    const [logGroup = ''] = references.filter((reference) => stack.resources.has(reference));
    expect(JSON.stringify(stack.resources.get(logGroup)?.Properties.LogGroupName)).toContain('"aws-waf-logs-');
    // An ARN that ends in :* is refused.
    expect(JSON.stringify(logging?.Properties.LogDestinationConfigs)).not.toContain('"Arn"');
  });

  it('the log of the firewall has only the requests that it blocked', () => {
    const [logging] = stack.ofType('AWS::WAFv2::LoggingConfiguration');
    expect(logging?.Properties.LoggingFilter).toMatchObject({
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
    });
  });
});
