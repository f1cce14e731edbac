import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isMeasured } from '../../shared/operations/is-measured.ts';
import { operations } from '../../shared/operations/registry.ts';
import { readStack } from '../support/template.ts';

/** Published prices of a month, in US dollars: those of CloudWatch, Secrets Manager and WAF. */
const price = { alarmMetric: 0.1, compositeAlarm: 0.5, secret: 0.4, webAcl: 5, rule: 1 };

const prod = readStack('prod');
const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** An alarm costs as much as the metrics that it looks at. */
function metricsOf({ Metrics }: Readonly<Record<string, unknown>>): number {
  if (Metrics === undefined) return 1;
  const queries = v.parse(v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) })), Metrics);
  return Math.max(1, queries.filter(({ MetricStat }) => MetricStat !== undefined).length);
}

describe('what an idle stage costs, as the runbook states it', () => {
  it('the figures of alarms are those of the template', () => {
    const alarms = prod.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => metricsOf(Properties));
    const metrics = alarms.reduce((sum, each) => sum + each, 0);
    const composites = prod.ofType('AWS::CloudWatch::CompositeAlarm').length;
    const ofAlarms = `${alarms.length} alarms over ${metrics} metrics ${dollars(metrics * price.alarmMetric)}`;
    const ofComposites = `${composites} composite alarms ${dollars(composites * price.compositeAlarm)}`;
    expect(runbook).toContain(`${ofAlarms}, ${ofComposites}`);
  });

  it('the figures of secrets are those of the template, with replicas and the signing key', () => {
    const secrets = prod.ofType('AWS::SecretsManager::Secret').length + 1;
    expect(runbook).toContain(`${secrets} secrets and their replicas ${dollars(secrets * 2 * price.secret)}`);
  });

  it('the figures of the firewall are those of its rules', () => {
    const [acl] = prod.ofType('AWS::WAFv2::WebACL');
    const rules = v.parse(v.array(v.unknown()), acl?.Properties.Rules).length;
    expect(runbook).toContain(`the firewall with ${rules} rules ${dollars(price.webAcl + rules * price.rule)}`);
  });

  it('only operations that sell and admit have metrics of their own', () => {
    const measured = operations.filter(isMeasured);
    for (const id of ['check-out-basket', 'prepare-payment', 'open-basket', 'record-scan', 'create-member'])
      expect(measured.map((operation) => operation.id)).toContain(id);
    expect(measured.length).toBeLessThan(operations.length / 4);
    expect(runbook).toContain(`about three for each of the ${measured.length} operations that sell and admit`);
  });
});
