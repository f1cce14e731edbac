import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';
import { startUnix } from './start-unix.ts';

const endpoint = ({ of }: CallContext) => ({
  webhook_endpoint_id: String(of('create-webhook-endpoint').webhook_endpoint_id),
});
const deliveries: MakeInput = async (context) => {
  const input = { params: endpoint(context) };
  await context.until('list-webhook-deliveries', input, (list) => itemsOf(list)[0]?.status === 'delivered');
  return input;
};

/** What a receiver's organisation does with an endpoint that exists. */
export const webhookCalls: Readonly<Record<string, MakeInput>> = {
  'retrieve-webhook-endpoint': (context) => ({ params: endpoint(context) }),
  'update-webhook-endpoint': (context) => ({
    params: endpoint(context),
    body: { description: 'Warehouse, Melbourne' },
  }),
  'list-webhook-deliveries': deliveries,
  'redeliver-webhook': (context) => ({
    params: {
      ...endpoint(context),
      delivery_id: String(itemsOf(context.of('list-webhook-deliveries'))[0]?.delivery_id),
    },
  }),
  'replay-webhooks': (context) => ({
    params: endpoint(context),
    body: { unix_start: startUnix },
  }),
  'test-webhook-endpoint': (context) => ({ params: endpoint(context) }),
  // The purchase: which receipt of the demo's own sales is the first event is random.
  'list-webhook-events': async ({ of, until }) => {
    const { order_id, order_date } = of('check-out-basket');
    let written = '';
    await until('list-webhook-events', { query: { unix_start: String(order_date) } }, (list) => {
      const event = itemsOf(list).find(({ data }) => JSON.stringify(data).includes(String(order_id)));
      written = String(event?.timestamp ?? '');
      return event !== undefined;
    });
    return { query: { unix_start: String(Math.floor(Date.parse(written) / 1000)), limit: '1' } };
  },
};

/** They end a secret and an endpoint, after the webhooks that are recorded. */
export const endedEndpointCalls: Readonly<Record<string, MakeInput>> = {
  'rotate-webhook-secret': (context) => ({ params: endpoint(context) }),
  'delete-webhook-endpoint': async (context) => ({
    params: {
      webhook_endpoint_id: String(
        (await context.send('create-webhook-endpoint', { body: { url: context.receiverUrl } })).webhook_endpoint_id,
      ),
    },
  }),
};
