import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainText, type RouteResponse, routeWorker } from '../../shared/workers/route.ts';

const requestContext = { requestId: 'chosen by the client', extendedRequestId: 'of-api-gateway' };

/** The metrics that a request to a route counts, by name. */
async function counted(respond: () => Promise<RouteResponse>): Promise<unknown[]> {
  vi.stubEnv('LOG', '');
  vi.stubEnv('STAGE', 'prod');
  vi.stubEnv('RELEASE', '3fa9c1d2e4b7');
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const event = { resource: '/v1/stripe/events', httpMethod: 'POST', headers: {}, body: '{}', requestContext };
  await routeWorker(respond)(event as unknown as APIGatewayProxyEvent, { functionName: 'probe' } as Context);
  return lines.map((line) => JSON.parse(line)).filter((line) => '_aws' in line);
}

describe('routes that are no operations', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('every response has the Request-Id, also a page and a failure', async () => {
    const event = { resource: '/t', httpMethod: 'GET', headers: {}, body: null, requestContext };
    const send = (respond: () => Promise<RouteResponse>) =>
      routeWorker(respond)(event as unknown as APIGatewayProxyEvent, { functionName: 'probe' } as Context);
    for (const { headers } of [
      await send(async () => plainText(200, 'A page')),
      await send(() => Promise.reject(new Error('no table'))),
    ]) {
      expect(headers).toMatchObject({ 'Request-Id': 'of-api-gateway' });
    }
  });

  it('a refused request and a failed one are counted under the function, as the alarms expect, and an accepted one is not', async () => {
    const dimensions = { stage: 'prod', operation: 'probe' };
    expect(await counted(async () => plainText(400, 'The signature is invalid.'))).toMatchObject([
      { ...dimensions, Refused: 1 },
    ]);
    expect(await counted(() => Promise.reject(new Error('no table')))).toMatchObject([{ ...dimensions, Failed: 1 }]);
    expect(await counted(async () => plainText(200, 'received'))).toEqual([]);
  });
});
