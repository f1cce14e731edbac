import { type ClientSessionOptions, connect, constants, type SecureClientSessionOptions } from 'node:http2';
import { applePushUrl } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import type { AppleAccount } from './apple-account.ts';

/** `gone`: the device has no such pass any more. `failed`: nothing is known, so the push is repeated. */
export type PushOutcome = 'accepted' | 'gone' | 'failed';

/** A connection to Apple's push service. One carries all pushes of a change. */
export interface PushConnection {
  /** Tells a device that one of its passes has changed. It says nothing else: the device asks what. */
  push(token: string): Promise<PushOutcome>;
  close(): void;
}

/** Passes have no development environment. */
const appleAddress = 'https://api.push.apple.com';
const timeoutMs = 10_000;
/** Apple's reasons for a token that is none, or belongs to a pass of another type. */
const goneReasons = /"(?:BadDeviceToken|DeviceTokenNotForTopic|Unregistered)"/;

/** Opens a connection as the owner of the pass type: its certificate is that of the client. */
export function openPushConnection(
  account: AppleAccount,
  address = applePushUrl() ?? appleAddress,
  options: ClientSessionOptions | SecureClientSessionOptions = {},
): PushConnection {
  const session = connect(address, { ...options, cert: account.certificate, key: account.private_key });
  // Every open push fails with the session, and says so itself.
  session.on('error', ({ message }) => log.warn("Apple's push service is not reachable", { reason: message }));
  return {
    push: (token) =>
      new Promise((resolve) => {
        if (session.closed || session.destroyed) return resolve('failed');
        const path = `/3/device/${encodeURIComponent(token)}`;
        const request = session.request({ ':method': 'POST', ':path': path, 'apns-topic': account.pass_type_id });
        let status = 0;
        let body = '';
        request.setTimeout(timeoutMs, () => request.close(constants.NGHTTP2_CANCEL));
        request.on('response', (headers) => {
          status = Number(headers[':status']);
        });
        request.setEncoding('utf8');
        request.on('data', (text: string) => {
          body += text;
        });
        request.on('error', () => undefined);
        request.on('close', () => resolve(outcomeOf(status, body)));
        request.end('{}');
      }),
    close: () => session.close(),
  };
}

function outcomeOf(status: number, body: string): PushOutcome {
  if (status === 200) return 'accepted';
  if (status === 410 || (status === 400 && goneReasons.test(body))) return 'gone';
  log.warn('A push to a pass failed', { status, reason: body.slice(0, 100) });
  return 'failed';
}
