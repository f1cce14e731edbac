import { join } from 'node:path';
import { keptAddressKey } from './address-hash.ts';
import { Gateline } from './gateline.ts';
import { types } from './mails/plans.ts';
import { newMailer } from './new-mailer.ts';
import { remindDaily } from './remind.ts';
import { FolderSender } from './send/folder.ts';
import { startServer } from './server.ts';
import type { Settings } from './settings.ts';
import { FileStore } from './store/file-store.ts';
import { Worker } from './worker.ts';

export interface LocalMailerOptions extends Pick<Settings, 'apiUrl' | 'apiKey' | 'shopUrl' | 'from'> {
  /** The port that is tried first; another free one is used if it is taken. */
  readonly port: number;
  /** Where mails and notes are kept. */
  readonly folder: string;
  readonly now?: () => number;
  readonly log?: (line: object) => void;
}

interface Endpoint {
  readonly webhook_endpoint_id: string;
  readonly description: string | null;
}

const description = 'Mailer of this machine';

/** The mailer on a machine, with mails in a folder. It registers its own endpoint; a deployed one has an endpoint that stays. */
export async function startMailer({ port, folder, log = () => {}, ...rest }: LocalMailerOptions) {
  const store = new FileStore(join(folder, 'mailer.sqlite'));
  const mails = new FolderSender(join(folder, 'mails'), rest.now);
  let secrets: readonly string[] = [];
  const addressKey = keptAddressKey(folder);
  const settings = {
    ...rest,
    secrets,
    addressKey,
    language: undefined,
    templates: undefined,
    mailsPerSecond: 100,
    atOnce: 1,
  };
  const now = rest.now && { now: rest.now };
  const mailer = newMailer(settings, { store, sender: mails, log, ...now, secrets: () => secrets });
  const worker = new Worker(mailer);
  const server = await startServer(port, { mailer, worker, folder: mails });
  const gateline = new Gateline(rest.apiUrl, rest.apiKey);
  const remove = ({ webhook_endpoint_id }: Endpoint) =>
    gateline.change('DELETE', `/v1/webhook_endpoints/${webhook_endpoint_id}`);

  const { data } = await gateline.get<{ data: readonly Endpoint[] }>('/v1/webhook_endpoints');
  for (const left of data.filter((one) => one.description === description)) await remove(left);
  const body = { url: `${server.url}/webhooks`, description, types };
  const endpoint = await gateline.change<Endpoint & { secret: string }>('POST', '/v1/webhook_endpoints', body);
  secrets = [endpoint.secret];
  const failed = () => log({ reason: 'invoices that are due could not be read' });
  const stopReminding = remindDaily({ gateline, mailer, wake: () => worker.wake(), failed, ...now });
  return {
    url: `${server.url}/mails`,
    async stop(): Promise<void> {
      stopReminding();
      await remove(endpoint).catch(() => {});
      await server.stop();
      store.close();
    },
  };
}
