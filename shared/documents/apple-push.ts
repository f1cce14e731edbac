import {
  type ClientHttp2Session,
  type ClientSessionOptions,
  connect,
  type SecureClientSessionOptions,
} from 'node:http2';
import { applePushUrl } from '../platform/env.ts';
import type { AppleAccount } from './apple-account.ts';

/** `gone`: the device has no such pass any more. `failed`: nothing is known, so the push is repeated. */
export type PushOutcome =
  | { readonly outcome: 'accepted' | 'gone' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** A connection to Apple's push service. */
export interface PushConnection {
  /** Tells a device that one of its passes has changed. It says nothing else: the device asks what. */
  push(token: string): Promise<PushOutcome>;
  close(): void;
}

/** Passes have no development environment. */
const appleAddress = 'https://api.push.apple.com';
const timeoutMs = 10_000;
/** Apple's reasons for a token that is invalid, has ended, or belongs to a pass of another type. */
const goneReasons = /"(?:BadDeviceToken|DeviceTokenNotForTopic|Unregistered)"/;

let kept: { readonly certificate: string; readonly connection: PushConnection } | undefined;

/** The connection of this instance. Apple takes many short connections for an attack, so all changes share one. */
export function keptPushConnection(account: AppleAccount): PushConnection {
  if (kept?.certificate !== account.certificate) {
    kept?.connection.close();
    kept = { certificate: account.certificate, connection: pushConnection(account) };
  }
  return kept.connection;
}

/** Connects with the first push, as the owner of the pass type: its certificate is that of the client. Connects again after an end. */
export function pushConnection(
  account: AppleAccount,
  address = applePushUrl() ?? appleAddress,
  options: ClientSessionOptions | SecureClientSessionOptions = {},
): PushConnection {
  let session: ClientHttp2Session | undefined;
  const connected = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    session = connect(address, { ...options, cert: account.certificate, key: account.private_key });
    // Every open push fails with the session, and has its reason.
    session.on('error', () => undefined);
    session.unref();
    return session;
  };
  return {
    push: (token) =>
      new Promise((resolve) => {
        const path = `/3/device/${encodeURIComponent(token)}`;
        const own = connected();
        const request = own.request({ ':method': 'POST', ':path': path, 'apns-topic': account.pass_type_id });
        let status = 0;
        let body = '';
        // A connection may have ended without a word while the instance was frozen: the next push opens another one.
        request.setTimeout(timeoutMs, () => own.destroy());
        request.on('response', (headers) => {
          status = Number(headers[':status']);
        });
        request.setEncoding('utf8');
        request.on('data', (text: string) => {
          body += text;
        });
        request.on('error', ({ message }) => {
          body = message;
        });
        request.on('close', () => resolve(outcomeOf(status, body)));
        request.end('{}');
      }),
    close: () => session?.close(),
  };
}

function outcomeOf(status: number, body: string): PushOutcome {
  if (status === 200) return { outcome: 'accepted' };
  if (status === 410 || (status === 400 && goneReasons.test(body))) return { outcome: 'gone' };
  return { outcome: 'failed', reason: `${status} ${body.slice(0, 100)}` };
}
