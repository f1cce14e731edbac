import { Agent, request } from 'node:http';
import type { EndpointRecord } from '../../shared/data/webhooks/endpoint-row.ts';
import { evaluateReply } from '../../shared/domain/webhooks/evaluate-reply.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import { webhookEventExamples } from '../../tools/fixtures/examples/webhook-examples.ts';
import { orgId } from './delivery-harness.ts';

/** The bytes of an event. */
export const body = JSON.stringify(webhookEventExamples[0]);

/** A POST over a keep-alive connection and nothing else: the minimum that any sender needs. */
export function barePost(url: string): () => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json' };
  return () =>
    new Promise((resolve, reject) => {
      const posting = request(url, { method: 'POST', agent, headers }, (response) => {
        response.once('end', resolve);
        response.resume();
      });
      posting.once('error', reject);
      posting.end(body);
    });
}

/** A POST as a delivery attempt makes it: it opens the secret, signs the body, checks the address, sets a timeout and reads the result. */
export function signedPost(deps: DeliveryDeps, endpoints: readonly EndpointRecord[]) {
  return async (index: number): Promise<void> => {
    const endpoint = endpoints[index % endpoints.length];
    if (endpoint === undefined) throw new Error('There is no endpoint.');
    const secrets = await deps.openSecrets(orgId, endpoint.endpointId, [endpoint.secret]);
    const message = { id: 'evt_bench', timestampUnix: Math.floor(Date.now() / 1000), body };
    const { reply } = await deps.send(
      { url: endpoint.url, headers: signatureHeaders(message, secrets), body },
      systemClock,
    );
    const evaluation = evaluateReply(reply);
    if (evaluation.outcome !== 'delivered') throw new Error(`The delivery attempt failed: ${evaluation.message}`);
  };
}

/** Runs the work `times` times, `atOnce` concurrently, and returns how many runs one second of this process's CPU pays for. */
export async function perCpuSecond(
  times: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, first) => {
      for (let index = first; index < times; index += atOnce) await work(index);
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return times / ((user + system) / 1_000_000);
}
