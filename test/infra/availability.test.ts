import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');

/** The alarm with this name in the code. CloudFormation's ids have no dashes, and a hash at the end. */
function alarm(name: string) {
  const pattern = new RegExp(`Alarms${name.replaceAll('-', '')}[0-9A-F]{8}$`);
  const [found, ...others] = prod.ofType('AWS::CloudWatch::Alarm').filter(({ logicalId }) => pattern.test(logicalId));
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} alarms are called ${name}.`);
  return found;
}

const Filter = v.looseObject({
  FilterPattern: v.string(),
  MetricTransformations: v.tuple([v.looseObject({ MetricName: v.string(), MetricValue: v.string() })]),
});

describe('the metric of availability', () => {
  /** Which of its filters match a line of the access log: the value of each is what the request counts. */
  const filters = prod
    .ofType('AWS::Logs::MetricFilter')
    .map(({ Properties }) => v.parse(Filter, Properties))
    .filter(({ MetricTransformations: [counted] }) => counted.MetricName === 'FailedRequest');
  const counts = (line: Record<string, string>) =>
    filters
      .filter(({ FilterPattern }) =>
        [...FilterPattern.matchAll(/\$\.(\w+) (!?=) "([^"]*)"/g)].every(([, field = '', comparison, text = '']) => {
          const isLike = text.endsWith('*')
            ? line[field]?.startsWith(text.slice(0, -1)) === true
            : line[field] === text;
          return isLike === (comparison === '=');
        }),
      )
      .map(({ MetricTransformations: [{ MetricValue }] }) => MetricValue);

  it('counts each request once, as 1 if it failed, and none of phones that ask for their passes', () => {
    expect(filters.map(({ FilterPattern }) => FilterPattern)).toEqual([
      '{ ($.route != "/v1/apple/*") && ($.status = "5*") }',
      '{ ($.route != "/v1/apple/*") && ($.status != "5*") }',
    ]);
    for (const status of ['200', '429', '500', '503'])
      expect(counts({ route: '/v1/orders', status })).toEqual([status.startsWith('5') ? '1' : '0']);
    expect(counts({ route: '/v1/apple/v1/passes/{pass_type_id}/{serial_number}', status: '503' })).toEqual([]);
  });

  it('availability watches it, and the alarms on errors what API Gateway counts itself', () => {
    const metrics = (name: string) => JSON.stringify(alarm(name).Properties).match(/(?<="MetricName":")\w+/g);
    expect(metrics('availability-fast-burn-long')).toEqual(['FailedRequest', 'FailedRequest']);
    expect(metrics('api-errors')).toEqual(['5XXError', 'Count']);
  });
});

describe('429 responses', () => {
  it('are counted from the access log, so that those of API Gateway and of the firewall count too', () => {
    const filter = prod
      .ofType('AWS::Logs::MetricFilter')
      .find(({ Properties }) => JSON.stringify(Properties).includes('TooManyRequests'));
    expect(filter?.Properties).toMatchObject({
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [{ MetricName: 'TooManyRequests', Dimensions: [{ Key: 'stage', Value: '$.stage' }] }],
    });
    const [stage] = prod.ofType('AWS::ApiGateway::Stage');
    const { Format } = v.parse(v.looseObject({ Format: v.string() }), stage?.Properties.AccessLogSetting);
    expect(JSON.parse(Format)).toMatchObject({ stage: '$context.stage', status: '$context.status' });
    expect(alarm('too-many-requests').Properties).toMatchObject({ MetricName: 'TooManyRequests' });
  });
});

describe('alarms on the age of queues', () => {
  it('passes may wait for an hour, and the alarm says what a phone shows then, not that webhooks are late', () => {
    const { Threshold, AlarmDescription } = alarm('passes-age').Properties;
    expect(Threshold).toBe(3_600);
    expect(AlarmDescription).toMatch(/more than 60 minutes\. Phones with an Apple or Google pass/);
    expect(AlarmDescription).not.toMatch(/[Ww]ebhook/);
    expect(alarm('sales-age').Properties.Threshold).toBe(300);
  });
});

describe('egress', () => {
  it('responses are compressed from a kilobyte on, and the OpenAPI document is let out twice a second', () => {
    expect(prod.ofType('AWS::ApiGateway::RestApi')[0]?.Properties.MinimumCompressionSize).toBe(1_024);
    const settings = prod.ofType('AWS::ApiGateway::Stage')[0]?.Properties.MethodSettings;
    expect(settings).toContainEqual({
      DataTraceEnabled: false,
      HttpMethod: 'GET',
      ResourcePath: '/~1v1~1openapi.json',
      ThrottlingRateLimit: 2,
      ThrottlingBurstLimit: 20,
    });
  });
});

describe('a moved event', () => {
  it('wakes no more phones in a second than the route that signs their passes can answer, 0.3 s each', () => {
    const Pace = v.looseObject({ Variables: v.looseObject({ PHONES_PER_SECOND: v.string() }) });
    const rateOf = (stack: typeof prod) => {
      const { Environment } =
        stack.resources.get(stack.functionOf({ id: 'push-pass-changes' }).logicalId)?.Properties ?? {};
      return Number(v.parse(Pace, Environment).Variables.PHONES_PER_SECOND);
    };
    const route = prod.resources.get(prod.functionOf({ id: 'apple-pass-file' }).logicalId);
    const reserved = Number(route?.Properties.ReservedConcurrentExecutions);
    expect(rateOf(prod)).toBeGreaterThan(0);
    expect(rateOf(prod) * 0.3).toBeLessThanOrEqual(reserved);
    expect(rateOf(readStack('dev'))).toBe(100);
  });
});
