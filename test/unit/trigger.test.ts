import { expect, it } from 'vitest';
import { CommandError } from '../../local/commands/running.ts';
import { trigger } from '../../local/commands/trigger.ts';
import type { Actor } from '../../local/commands/trigger-purchases.ts';

/** A service that registers the endpoint unless it is `busy`, and refuses everything else. */
function refusing(busy: boolean) {
  let receiver = '';
  const actor: Actor = {
    url: 'http://127.0.0.1:1',
    orgId: 'org_test',
    organisation: 'Test',
    publishableKey: '',
    connection: {
      region: 'local',
      table: 'Gateline',
      endpoint: 'http://127.0.0.1:1',
      accessKeyId: '',
      secretAccessKey: '',
      signingKey: '',
      variables: {},
    },
    admin: async () => {},
    async call(method, path, body) {
      if (path === '/v1/webhook_endpoints' && body !== undefined && 'url' in body) receiver = String(body.url);
      if (method === 'POST' && path === '/v1/webhook_endpoints' && !busy) return { webhook_endpoint_id: 'we_1' };
      throw new CommandError('The service is busy.');
    },
  };
  return { actor, receiverUrl: () => receiver };
}

it.each([true, false])(
  'trigger ends when the service refuses its calls, and leaves no receiver (busy: %s)',
  async (busy) => {
    const { actor, receiverUrl } = refusing(busy);
    await expect(trigger(actor, 'order.completed')).rejects.toThrow('The service is busy.');
    expect(receiverUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await expect(fetch(receiverUrl())).rejects.toThrow('fetch failed');
  },
);
