import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { workers } from '../../shared/workers/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { functionOf, rehearseBroken, resourcesOf } from '../support/broken-stack.ts';
import { isRaised } from '../support/metric-math.ts';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');

/** The alarm with this name in the code. CloudFormation's ids have no dashes, and a hash at the end. */
function alarm(name: string) {
  const pattern = new RegExp(`Alarms${name.replaceAll('-', '')}[0-9A-F]{8}$`);
  const [found, ...others] = prod.ofType('AWS::CloudWatch::Alarm').filter(({ logicalId }) => pattern.test(logicalId));
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} alarms are called ${name}.`);
  return found;
}

describe('alarms on what stops or fails rarely', () => {
  it('what stops without an error raises an alarm by its missing points: every schedule, and the copies of backups', () => {
    for (const { id, source } of workers) {
      if (source.kind !== 'schedule') continue;
      expect(alarm(`${id}-stopped`).Properties).toMatchObject({
        // Events invoke some of them too, whether the schedule is on or not.
        MetricName: source.after === undefined ? 'Invocations' : 'ScheduledRun',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        DatapointsToAlarm: 4,
        TreatMissingData: 'breaching',
      });
    }
    // CloudWatch evaluates more than a day only with periods of an hour or more.
    expect(alarm('backup-missing').Properties).toMatchObject({
      MetricName: 'NumberOfCopyJobsCompleted',
      Dimensions: [{ Name: 'BackupVaultName', Value: 'gateline-prod-copy' }],
      Period: 3_600,
      EvaluationPeriods: 26,
      DatapointsToAlarm: 26,
      TreatMissingData: 'breaching',
    });
  });

  it('a single 500 of any operation raises an alarm, and so do failures and refusals of the Stripe route', () => {
    expect(alarm('operation-failed').Properties).toMatchObject({
      Namespace: 'Gateline',
      MetricName: 'Failed',
      Threshold: 1,
      DatapointsToAlarm: 1,
      EvaluationPeriods: 5,
    });
    expect(alarm('operation-failed').Properties.Dimensions).toEqual([{ Name: 'stage', Value: 'prod' }]);
    const route = prod.functionOf({ id: 'receive-stripe-event' }).logicalId;
    for (const [name, MetricName, Period] of [
      ['stripe-route-failed', 'Failed', 900],
      ['stripe-route-refused-refused', 'Refused', 3_600],
    ] as const) {
      expect(alarm(name).Properties).toMatchObject({ MetricName, Period });
      expect(referencesIn(alarm(name).Properties.Dimensions)).toContain(route);
    }
  });

  it('forged requests to the Stripe route raise no alarm by themselves, and a wrong secret does while orders are paid', () => {
    const [composite] = prod
      .ofType('AWS::CloudWatch::CompositeAlarm')
      .filter(({ logicalId }) => /striperouterefused/i.test(logicalId));
    const parts = referencesIn(composite?.Properties.AlarmRule).map((id) => prod.resources.get(id)?.Properties);
    const raisedWith = (counts: Readonly<Record<string, number | undefined>>) =>
      parts.every((part) => isRaised(part, ({ Metric: { MetricName } }) => [counts[MetricName]]));
    expect(parts).toHaveLength(3);
    expect(raisedWith({ Refused: 3, Accepted: undefined, Succeeded: 5 })).toBe(true);
    // A quiet night, and a day on which Stripe's own events are accepted.
    expect(raisedWith({ Refused: 3, Accepted: undefined, Succeeded: undefined })).toBe(false);
    expect(raisedWith({ Refused: 1_000, Accepted: 1, Succeeded: 5 })).toBe(false);
    expect(raisedWith({ Refused: 2, Accepted: undefined, Succeeded: 5 })).toBe(false);
    expect(composite?.Properties.AlarmActions).toHaveLength(1);
    for (const part of parts) expect(part?.AlarmActions).toBeUndefined();
  });

  it('a route that answers with a 500 raises its alarm, although Lambda counts no error', () => {
    for (const { id, source } of workers) {
      if (source.kind !== 'route' || source.provider !== undefined) continue;
      expect(alarm(`${id}-errors`).Properties).toMatchObject({ Namespace: 'Gateline', MetricName: 'Failed' });
    }
  });

  it('sales that the provider refuses, and charges that it refuses or that are late, raise alarms', () => {
    expect(alarm('payments-refused').Properties).toMatchObject({
      MetricName: 'PaymentRefused',
      Threshold: 5,
      Period: 900,
    });
    expect(alarm('charges-refused').Properties).toMatchObject({
      MetricName: 'ChargeRefused',
      Threshold: 5,
      Period: 900,
    });
    const oldest = { MetricName: 'OldestDueSeconds', Statistic: 'Maximum', Threshold: 7_200 };
    expect(alarm('charges-late').Properties).toMatchObject(oldest);
  });

  it('the canary holds a ticket at the public address, and prepares no payment where payments are real', () => {
    const Settings = v.looseObject({ Variables: v.looseObject({ CANARY: v.string() }) });
    const { Environment } = prod.functionOf({ id: 'hold-canary-ticket' }).Properties;
    expect(JSON.parse(v.parse(Settings, Environment).Variables.CANARY)).toEqual({
      address: 'https://api.tickets.example/',
      storefrontToken: 'gl_pub_canary_1',
      priceId: 1,
      pays: false,
    });
  });

  it('the canary calls the public address of the API, without a double slash, and needs no manual step', () => {
    const [destination] = prod.ofType('AWS::Events::ApiDestination');
    expect(destination?.Properties.InvocationEndpoint).toBe('https://api.tickets.example/v1/health');
    expect(destination?.Properties.HttpMethod).toBe('GET');
  });
});

describe('rehearsal of what would fail unnoticed', () => {
  it('the rehearsal refuses prod without what only its team knows: domain, publishable key of Stripe and budget', () => {
    const problems = rehearseBroken((template) => {
      for (const type of ['AWS::ApiGateway::DomainName', 'AWS::Budgets::Budget'])
        for (const [id] of resourcesOf(template, type)) delete template.Resources[id];
      const { Properties } = functionOf(template, 'prepare-payment');
      const text = JSON.stringify(Properties.Environment).replace('pk_live_1', 'none');
      Properties.Environment = JSON.parse(text);
    });
    for (const setting of ['domain', 'stripePublishableKey', 'monthlyBudgetUsd'])
      expect(problems).toContainEqual(
        expect.stringMatching(`^Set ${setting} of prod in lib/stage-config.ts: without it, `),
      );
  });

  it('the rehearsal names what could stop unnoticed: a schedule, its old runs, and the copies of backups', () => {
    const problems = rehearseBroken((template) => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::CloudWatch::Alarm')) {
        if (Properties.TreatMissingData === 'breaching') Properties.TreatMissingData = 'notBreaching';
      }
      for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'))
        delete Properties.MaximumEventAgeInSeconds;
    });
    const schedules = workers.filter(({ source }) => source.kind === 'schedule');
    expect(problems.filter((problem) => /^The schedule \S+ could stop unnoticed/.test(problem))).toHaveLength(
      // The canary is a schedule too.
      schedules.length + 1,
    );
    for (const { id } of schedules)
      expect(problems).toContainEqual(expect.stringMatching(`^Runs of ${id} that Lambda refuses would pile up`));
    expect(problems.at(-1)).toBe(
      'Backups could fail unnoticed: no alarm watches NumberOfCopyJobsCompleted of AWS Backup.',
    );
  });

  it('the rehearsal names a budget whose topic does not let AWS Budgets publish', () => {
    const problems = rehearseBroken((template) => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::SNS::TopicPolicy'))
        Properties.PolicyDocument = JSON.parse(
          JSON.stringify(Properties.PolicyDocument).replaceAll('budgets.amazonaws.com', 'other.amazonaws.com'),
        );
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^The policy of TicketTopic\w+ does not allow AWS Budgets to publish, so Budget\w+ is silent\.$/,
      ),
    ]);
  });
});
