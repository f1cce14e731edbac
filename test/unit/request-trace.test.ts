import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseBasket } from '../../shared/data/baskets/row.ts';
import { newDelivery } from '../../shared/data/webhooks/deliveries.ts';
import { parseDelivery } from '../../shared/data/webhooks/delivery-row.ts';
import { newBasket } from '../../shared/domain/baskets/basket.ts';
import { parseBusMessage, parseStreamImage } from '../../shared/outbox/event-reference.ts';
import { parseFeedEvent } from '../../shared/outbox/feed.ts';
import { log } from '../../shared/platform/log.ts';
import { parseBacklogMessage, parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { printedLines } from '../support/printed-lines.ts';

const ref = { orgId: 'org_1', endpointId: 'we_1', eventId: 'evt_1' };
const context = { awsRequestId: 'run-1', functionName: 'fan-out' } as Context;

afterEach(() => vi.unstubAllEnvs());

describe('request id in stored and queued data', () => {
  it('rows and messages from before the request id still parse', () => {
    const image = { pk: { S: 'FEED#org_1#0' }, sk: { S: 'evt_1' }, type: { S: 'member.created' } };
    const reference = { orgId: 'org_1', eventId: 'evt_1', type: 'member.created', requestId: undefined };
    expect(parseStreamImage(image)).toEqual(reference);
    const detail = { org_id: 'org_1', event_id: 'evt_1', type: 'member.created' };
    expect(parseBusMessage({ detail })).toEqual(reference);
    expect(parseFeedEvent({ sk: 'evt_1', type: 'member.created', body: '{}' }).requestId).toBeUndefined();
    expect(parseDeliveryMessage(ref)).toEqual({ ...ref, forced: false });
    expect(parseBacklogMessage({ orgId: 'org_1', endpointId: 'we_1' }).requestId).toBeUndefined();
    expect(parseDelivery(newDelivery({ ...ref, type: 'member.created' }, 1_000)).requestId).toBeUndefined();
    const checkout = { attempt: 1, startedUnix: 1, leaseUntilUnix: 1, amountMinor: 1, isPaid: true };
    expect(parseBasket({ ...newBasket(64, 1), checkout }).checkout?.requestId).toBeNull();
  });
});

describe('request id in the log of a batch', () => {
  it('messages that are handled concurrently keep their own request id, also when one fails', async () => {
    const worker = queueWorker(parseBusMessage, async ({ requestId }) => {
      await sleep(requestId === 'req-a' ? 20 : 5);
      if (requestId === 'req-b') throw new Error('broken');
      log.info('event fanned out', {});
    });
    const Records = ['req-a', 'req-b', 'req-c'].map((api_request_id) => ({
      messageId: `message-${api_request_id}`,
      attributes: { ApproximateReceiveCount: '1' },
      body: JSON.stringify({ detail: { org_id: 'org_1', event_id: 'evt_1', type: 'member.created', api_request_id } }),
    }));
    const lines = await printedLines(() => worker({ Records } as Parameters<typeof worker>[0], context));
    const run = { function_request_id: 'run-1' };
    expect(lines.slice(0, 3)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...run, message: 'message failed', api_request_id: 'req-b' }),
        expect.objectContaining({ ...run, message: 'event fanned out', api_request_id: 'req-c' }),
        expect.objectContaining({ ...run, message: 'event fanned out', api_request_id: 'req-a' }),
      ]),
    );
  });
});
