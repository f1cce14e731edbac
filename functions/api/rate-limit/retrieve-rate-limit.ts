import { secondsUntilReset } from '../../../shared/domain/auth/rate-windows.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { retrieveRateLimit } from '../../../shared/operations/rate-limit/retrieve-rate-limit.ts';

export const handle: Handle<typeof retrieveRateLimit> = async (_input, { caller, windows, clock }) => ({
  object: 'rate_limit',
  org_id: caller.orgId,
  key_id: caller.keyId,
  windows: windows.map((window) => ({
    name: window.name,
    limit: window.limit,
    used: window.limit - window.remaining,
    remaining: window.remaining,
    resets_at: window.resetsAtUnix,
    resets_in: secondsUntilReset(window, clock.nowMs()),
  })),
});

export const handler = pipeline(retrieveRateLimit, handle);
