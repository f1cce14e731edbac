import { appleAccount } from '../../shared/documents/apple-account.ts';
import { checkCertificate } from '../../shared/documents/apple-certificate.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';

export const handler = scheduleWorker(async () => {
  const account = await appleAccount();
  if (account !== undefined) checkCertificate(account, systemClock.nowMs());
});
