import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countOutcome, log, measureRequest } from '../../shared/platform/log.ts';

const context = {
  awsRequestId: '8f5-1',
  functionName: 'gateline-probe',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:1:function:gateline-probe',
  memoryLimitInMB: '512',
} as Context;

function printed(stream: NodeJS.WriteStream, work: () => void): unknown[] {
  const lines: unknown[] = [];
  const write = vi.spyOn(stream, 'write').mockImplementation((text) => {
    expect(text).toMatch(/^\{[^\n]*\}\n$/);
    lines.push(JSON.parse(String(text)));
    return true;
  });
  work();
  write.mockRestore();
  return lines;
}

describe('log', () => {
  beforeEach(() => {
    vi.stubEnv('LOG', '');
    vi.stubEnv('RELEASE', '3fa9c1d2e4b7');
    vi.stubEnv('STAGE', 'prod');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('the log has one line per message, with the invocation that it belongs to', () => {
    const lines = printed(process.stdout, () => {
      log.addContext(context, { api_request_id: 'request-1' });
      log.info('request', { operation: 'probe', status: 200, org_id: undefined });
      log.addContext({ ...context, awsRequestId: '8f5-2' });
      log.info('request', { operation: 'probe', status: 200 });
    });
    const first = {
      level: 'INFO',
      message: 'request',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'gateline',
      stage: 'prod',
      // Another test in this process may have logged first.
      cold_start: expect.any(Boolean),
      function_arn: context.invokedFunctionArn,
      function_memory_size: '512',
      function_name: 'gateline-probe',
      function_request_id: '8f5-1',
      function_version: '1',
      release: '3fa9c1d2e4b7',
      api_request_id: 'request-1',
      operation: 'probe',
      status: 200,
    };
    const { api_request_id: _ofFirst, ...second } = first;
    expect(lines).toEqual([first, { ...second, cold_start: false, function_request_id: '8f5-2' }]);
  });

  it('the log reports an error with its level and its place in the code', () => {
    const lines = printed(process.stderr, () => {
      log.warn('circuit opened', { org_id: 'org_1' });
      log.error('request failed', { org_id: 'org_1' });
    });
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'circuit opened', org_id: 'org_1' },
      { level: 'ERROR', message: 'request failed' },
    ]);
  });

  it('the log counts outcomes as CloudWatch reads them: by stage and operation, as the alarms expect', () => {
    const lines = printed(process.stdout, () => countOutcome('sweep-baskets', 'Stuck', 3));
    const metric = {
      Namespace: 'Gateline',
      Dimensions: [['service', 'stage', 'operation']],
      Metrics: [{ Name: 'Stuck', Unit: 'Count' }],
    };
    expect(lines).toEqual([
      {
        _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [metric] },
        service: 'gateline',
        stage: 'prod',
        operation: 'sweep-baskets',
        Stuck: 3,
      },
    ]);
  });

  it('the log measures a request in one entry: latency by operation and by stage, and whether it misses its objective', () => {
    const request = {
      outcome: 'Succeeded',
      latencyMs: 12,
      isStreamed: false,
      missesObjective: false,
      isReleasedGradually: false,
    };
    const [buffered, streamed] = printed(process.stdout, () => {
      measureRequest('record-scan', request);
      measureRequest('list-members', { ...request, isStreamed: true, missesObjective: undefined });
    });
    const latency = { Name: 'Latency', Unit: 'Milliseconds' };
    const succeeded = { Name: 'Succeeded', Unit: 'Count' };
    const metrics = (Dimensions: string[], Metrics: object[]) => ({
      Namespace: 'Gateline',
      Dimensions: [Dimensions],
      Metrics,
    });
    const byOperation = ['service', 'stage', 'operation'];
    expect(buffered).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          metrics(byOperation, [succeeded, latency, { Name: 'ObjectiveMissed', Unit: 'Count' }]),
          metrics(['service', 'stage'], [latency]),
        ],
      },
      service: 'gateline',
      stage: 'prod',
      operation: 'record-scan',
      Succeeded: 1,
      Latency: 12,
      ObjectiveMissed: 0,
    });
    // A streamed export takes minutes, which is no latency of the stage.
    expect(streamed).toMatchObject({ _aws: { CloudWatchMetrics: [metrics(byOperation, [succeeded, latency])] } });
  });

  it('the log counts the failures of a gradual release by version, as a 1 or a 0 for every request', () => {
    const request = { latencyMs: 12, isStreamed: false, missesObjective: undefined, isReleasedGradually: true };
    const lines = printed(process.stdout, () => {
      log.addContext({ ...context, functionVersion: '7' });
      for (const outcome of ['Failed', 'Conflict']) measureRequest('record-scan', { ...request, outcome });
    });
    const directive = {
      Namespace: 'Gateline',
      Dimensions: [['service', 'stage', 'operation', 'version']],
      Metrics: [{ Name: 'ReleaseFailed', Unit: 'Count' }],
    };
    expect(lines).toMatchObject([
      { version: '7', ReleaseFailed: 1, Failed: 1 },
      { version: '7', ReleaseFailed: 0 },
    ]);
    for (const line of lines)
      expect(line).toHaveProperty('_aws.CloudWatchMetrics', expect.arrayContaining([directive]));
    // A failure is also counted over all operations, for one alarm on any of them.
    const ofStage = { ...directive, Dimensions: [['service', 'stage']] };
    const counts = ['Latency', 'Failed'].map((Name) => ({ Name, Unit: Name === 'Latency' ? 'Milliseconds' : 'Count' }));
    expect(lines[0]).toHaveProperty(
      '_aws.CloudWatchMetrics',
      expect.arrayContaining([{ ...ofStage, Metrics: counts }]),
    );
    expect(lines[1]).toHaveProperty(
      '_aws.CloudWatchMetrics',
      expect.arrayContaining([{ ...ofStage, Metrics: counts.slice(0, 1) }]),
    );
  });

  it('the log is empty when it is off', () => {
    vi.stubEnv('LOG', 'off');
    const lines = printed(process.stdout, () => {
      log.info('request', {});
      countOutcome('probe', 'Succeeded');
    });
    expect(lines).toEqual([]);
  });
});
