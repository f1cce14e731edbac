import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countOutcome, log, logRequest } from '../../shared/platform/log.ts';
import { fieldsOf } from '../support/fields-of.ts';

const context = {
  awsRequestId: '8f5-1',
  functionName: 'gateline-probe',
  functionVersion: '1',
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
    // The log group says the stage and the function, and its stream the version: no entry repeats them.
    const first = {
      level: 'INFO',
      message: 'request',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      function_request_id: '8f5-1',
      release: '3fa9c1d2e4b7',
      api_request_id: 'request-1',
      operation: 'probe',
      status: 200,
    };
    const { api_request_id: _ofFirst, ...second } = first;
    // Another test in this process may have logged first.
    const { cold_start: _ofProcess, ...cold } = fieldsOf(lines[0]);
    expect([cold, lines[1]]).toEqual([first, { ...second, function_request_id: '8f5-2' }]);
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
      Dimensions: [['stage', 'operation']],
      Metrics: [{ Name: 'Stuck' }],
    };
    expect(lines).toEqual([
      {
        _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [metric] },
        stage: 'prod',
        operation: 'sweep-baskets',
        Stuck: 3,
      },
    ]);
  });

  const request = {
    isError: false,
    outcome: 'Succeeded',
    latencyMs: 12,
    isStreamed: false,
    missesObjective: false,
    isReleasedGradually: false,
    isMeasured: true,
  };
  const latency = { Name: 'Latency', Unit: 'Milliseconds' };
  const directive = (Dimensions: string[], Metrics: object[]) => ({
    Namespace: 'Gateline',
    Dimensions: [Dimensions],
    Metrics,
  });

  it('a request is one entry: what happened, latency by operation and by stage, and whether it misses its objective', () => {
    const [buffered, streamed, ...others] = printed(process.stdout, () => {
      log.addContext(context, { api_request_id: 'request-1' });
      logRequest('record-scan', request, { status: 201, write_units: 11 });
      logRequest('list-members', { ...request, isStreamed: true, missesObjective: undefined }, { status: 200 });
    });
    expect(others).toEqual([]);
    const byOperation = ['stage', 'operation'];
    expect(buffered).toMatchObject({
      level: 'INFO',
      message: 'request',
      api_request_id: 'request-1',
      status: 201,
      write_units: 11,
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          directive(byOperation, [{ Name: 'Succeeded' }, latency, { Name: 'ObjectiveMissed' }]),
          directive(['stage'], [latency]),
        ],
      },
      stage: 'prod',
      operation: 'record-scan',
      Succeeded: 1,
      Latency: 12,
      ObjectiveMissed: 0,
    });
    // A streamed export takes minutes, which says nothing about the latency of the stage.
    expect(streamed).toMatchObject({
      _aws: { CloudWatchMetrics: [directive(byOperation, [{ Name: 'Succeeded' }, latency])] },
    });
  });

  it('an operation that neither sells nor admits has no metric of its own, and its entry has the same figures for a query', () => {
    const [buffered, streamed] = printed(process.stdout, () => {
      const unmeasured = { ...request, missesObjective: undefined, isMeasured: false };
      logRequest('list-venues', unmeasured, { status: 200 });
      logRequest('list-members', { ...unmeasured, isStreamed: true }, { status: 200 });
    });
    expect(buffered).toMatchObject({
      operation: 'list-venues',
      Succeeded: 1,
      Latency: 12,
      _aws: { CloudWatchMetrics: [directive(['stage'], [latency])] },
    });
    expect(streamed).toMatchObject({ operation: 'list-members', Latency: 12 });
    expect(streamed).not.toHaveProperty('_aws');
  });

  it('the entry of a request has at most 700 bytes, with its metrics', () => {
    const ids = { org_id: 'org_harbourfc', key_id: '7k2p', status: 200 };
    const meter = { table_calls: 4, read_units: 3.5, write_units: 12.5 };
    const [line] = printed(process.stdout, () => {
      log.addContext({ ...context, awsRequestId: '0b1f7c7e-3f0a-4b8e-9d3c-1d8a1a2b3c4d' });
      const fields = { api_request_id: 'AbCdEfGhIjKlMnO=', ...ids, ...meter };
      logRequest('add-basket-item', { ...request, missesObjective: undefined }, fields);
    });
    expect(JSON.stringify(line).length).toBeLessThan(700);
  });

  it('the log counts the failures of a gradual release by version, as a 1 or a 0 for every request', () => {
    const gradual = { ...request, missesObjective: undefined, isReleasedGradually: true };
    const [failed] = printed(process.stderr, () => {
      log.addContext({ ...context, functionVersion: '7' });
      logRequest('record-scan', { ...gradual, isError: true, outcome: 'Failed' }, { status: 500 });
    });
    const [refused] = printed(process.stdout, () => {
      logRequest('record-scan', { ...gradual, outcome: 'Conflict' }, { status: 409 });
    });
    const metricsOf = (...directives: object[]) => ({
      _aws: { CloudWatchMetrics: expect.arrayContaining(directives) },
    });
    const ofVersion = directive(['stage', 'operation', 'version'], [{ Name: 'ReleaseFailed' }]);
    // A failure is also counted over all operations, for one alarm on any of them.
    expect(failed).toMatchObject({
      level: 'ERROR',
      message: 'request failed',
      version: '7',
      ReleaseFailed: 1,
      Failed: 1,
      ...metricsOf(ofVersion, directive(['stage'], [latency, { Name: 'Failed' }])),
    });
    expect(refused).toMatchObject({
      version: '7',
      ReleaseFailed: 0,
      ...metricsOf(ofVersion, directive(['stage'], [latency])),
    });
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
